// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

namespace tools {

template <class T>
void scan_rows(session& s);  // instantiated one type a file

namespace {
template <class... T>
void each_type(session& s, type_list<T...>)
{
  ((s.wants_type(type_name<T>) ? scan_rows<T>(s) : void()), ...);
}
}  // namespace

void check_scan(session& s)
{
  if (s.wants_operator("plus") || s.wants_operator("max")) each_type(s, item_types{});
  if (s.wants_operator("affine") && s.wants_type("u32")) scan_rows<affine>(s);
}

}  // namespace tools
