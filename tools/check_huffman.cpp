// SPDX-License-Identifier: Apache-2.0
#include "families.hpp"

namespace tools {

template <class T>
void huffman_rows(session& s);  // instantiated one type a file

void check_huffman(session& s)
{
  if (!s.wants_operator("none")) return;
  each_type(s, type_list<u8, u16, u32>{}, [&](auto zero) { huffman_rows<decltype(zero)>(s); });
}

}  // namespace tools
