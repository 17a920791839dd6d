// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "session.hpp"

// The families: each runs its primitives on items of one type, on everything that the session asks for. A new one is
// <family>_rows.hpp, a line here, one in check.cpp, and its types in CMakeLists.txt, where they are compiled one a
// file.
namespace tools {

template <class T>
void scan_rows(session& s);
template <class T>
void select_rows(session& s);
template <class T>
void partition_rows(session& s);
template <class T>
void runs_rows(session& s);
template <class T>
void columns_rows(session& s);
template <class T>
void expand_rows(session& s);
template <class T>
void segments_rows(session& s);
template <class T>
void in_situ_rows(session& s);
template <class T>
void classics_rows(session& s);
template <class T>
void sort_rows(session& s);
template <class T>
void huffman_rows(session& s);
template <class T>
void image_rows(session& s);

/// f(T{}) for each type of the list that the session wants.
template <class... T, class F>
void each_type(session const& s, type_list<T...>, F const& f)
{
  ((s.wants_type(type_name<T>) ? f(T{}) : void()), ...);
}

}  // namespace tools
