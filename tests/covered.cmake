# SPDX-License-Identifier: Apache-2.0
# The tests of scripts/coverage. The program, whose `onepass check` calls every primitive, reaches four lines of five; of the
# rest these reach lines that nothing else does. Left out are those that reach nothing more, and a few that take long for some
# dozen lines: the lane has to end in minutes.
set(onepass_not_covered test_codebook test_host_vector) # of the units
set(onepass_covered_in_host_tiny
    test_apply_permutation test_box_filter test_classic_compaction test_classic_huffman test_classic_images test_classic_sorts
    test_csr test_each test_exact test_huffman_batch test_huffman_codebook test_packed_frame test_parallel_scan
    test_reduce test_scatter test_segmented test_segmented_sort test_top_k)
set(onepass_covered_in_kokkos_chained_tiny
    test_radix_sort test_scatter)
set(onepass_covered_in_serial test_team)

# onepass_cover(<test> <target>...): the label `covered`, and what the target onepass_covered builds.
add_custom_target(onepass_covered)
function(onepass_cover test)
    set_property(TEST ${test} APPEND PROPERTY LABELS covered)
    add_dependencies(onepass_covered ${ARGN})
endfunction()
