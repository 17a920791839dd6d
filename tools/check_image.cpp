// SPDX-License-Identifier: Apache-2.0
#include "families.hpp"

namespace tools {

template <class T>
void image_rows(session& s);  // instantiated one type a file

void check_image(session& s)
{
  if (!s.wants_operator("none")) return;
  each_type(s, type_list<u8>{}, [&](auto zero) { image_rows<decltype(zero)>(s); });
}

}  // namespace tools
