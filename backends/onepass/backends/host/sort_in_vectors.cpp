// SPDX-License-Identifier: Apache-2.0
// Highway's sort, which finds the instruction set by itself.
#include <hwy/contrib/sort/vqsort.h>
#include <onepass/backends/host/sort_in_vectors.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

void sort_in_vectors(std::uint16_t* numbers, std::size_t n) { hwy::VQSort(numbers, n, hwy::SortAscending{}); }
void sort_in_vectors(std::uint32_t* numbers, std::size_t n) { hwy::VQSort(numbers, n, hwy::SortAscending{}); }
void sort_in_vectors(std::uint64_t* numbers, std::size_t n) { hwy::VQSort(numbers, n, hwy::SortAscending{}); }

}  // namespace onepass::ONEPASS_ABI::backends::host
