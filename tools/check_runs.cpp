// SPDX-License-Identifier: Apache-2.0
#include "families.hpp"

namespace tools {

template <class T>
void runs_rows(session& s);  // instantiated one type a file

void check_runs(session& s)
{
  if (!s.wants_operator("none") && !s.wants_operator("plus")) return;
  each_type(s, type_list<u8, u32, u64>{}, [&](auto zero) { runs_rows<decltype(zero)>(s); });
}

}  // namespace tools
