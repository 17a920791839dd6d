// SPDX-License-Identifier: Apache-2.0
#include "families.hpp"

namespace tools {

template <class T>
void sort_rows(session& s);  // instantiated one type a file

void check_sort(session& s)
{
  if (!s.wants_operator("none")) return;
  each_type(s, type_list<u8, u32>{}, [&](auto zero) { sort_rows<decltype(zero)>(s); });
}

}  // namespace tools
