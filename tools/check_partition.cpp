// SPDX-License-Identifier: Apache-2.0
#include "families.hpp"

namespace tools {

template <class T>
void partition_rows(session& s);  // instantiated one type a file

void check_partition(session& s)
{
  if (!s.wants_operator("none")) return;
  each_type(s, type_list<u8, u32, u64>{}, [&](auto zero) { partition_rows<decltype(zero)>(s); });
}

}  // namespace tools
