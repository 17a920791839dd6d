// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "session.hpp"

// The families: each runs its primitives on everything that the session asks for. A new one adds a line here and in
// check.cpp, check_<family>.cpp, <family>_rows.hpp, and its types in CMakeLists.txt.
namespace tools {

void check_scan(session& s);
void check_select(session& s);
void check_partition(session& s);
void check_runs(session& s);
void check_sort(session& s);
void check_huffman(session& s);
void check_image(session& s);

/// f(T{}) for each type of the list that the session wants.
template <class... T, class F>
void each_type(session const& s, type_list<T...>, F const& f)
{
  ((s.wants_type(type_name<T>) ? f(T{}) : void()), ...);
}

}  // namespace tools
