# SPDX-License-Identifier: Apache-2.0
# The tests of the sanitizer lane of .ci/run: every unit, and of tests/algorithms and tests/backends these, in rows whose tiny
# tiles meet all edges with small inputs. Named are what computes addresses in a way of its own, and what reads bytes that
# anyone may have written. The lane has to end in minutes; `scripts/test asan-ubsan` runs every test.
set(onepass_sanitized_in_host_tiny
    test_huffman test_huffman_damage test_merge test_packed_frame test_partition test_radix_sort test_run_length_decode test_runs
    test_scan test_scan_values test_segmented test_select test_shared_board test_summed_area_table)
set(onepass_sanitized_in_kokkos_chained_tiny
    test_huffman test_in_situ test_radix_sort test_scan_values test_select test_summed_area_table)

# onepass_sanitize(<test> <target>): the label `sanitized`, and what the target onepass_sanitized builds. With ONEPASS_LANE also
# what lanes.cmake has that lane run unchecked.
add_custom_target(onepass_sanitized)
function(onepass_sanitize test target)
    set_property(TEST ${test} APPEND PROPERTY LABELS sanitized)
    add_dependencies(onepass_sanitized ${target})
endfunction()

# onepass_require_sanitized(<row>...): every name above is a test, as far as this build has the row.
function(onepass_require_sanitized)
    foreach(row IN LISTS ARGN)
        foreach(stem IN LISTS onepass_sanitized_in_${row})
            if(NOT TEST ${stem}.${row})
                message(FATAL_ERROR "tests/sanitized.cmake names ${stem} for the row ${row}, where no such test runs")
            endif()
        endforeach()
    endforeach()
endfunction()
