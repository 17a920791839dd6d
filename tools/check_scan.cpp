// SPDX-License-Identifier: Apache-2.0
#include "families.hpp"

namespace tools {

template <class T>
void scan_rows(session& s);  // instantiated one type a file

void check_scan(session& s)
{
  if (s.wants_operator("plus") || s.wants_operator("max"))
    each_type(s, item_types{}, [&](auto zero) { scan_rows<decltype(zero)>(s); });
  if (s.wants_operator("affine") && s.wants_type("u32")) scan_rows<affine>(s);
}

}  // namespace tools
