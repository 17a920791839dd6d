# SPDX-License-Identifier: Apache-2.0
# Which lane of .ci/run a test belongs to. The lanes sanitized and coverage have what sanitized.cmake and covered.cmake name. Clang
# compiles tests of tiny rows in half of g++'s time, so the lane sanitized also has the others of these, unchecked: without the
# sanitizers. By g++ are of each backend in tiny tiles:
set(onepass_by_gcc_in_host_tiny test_adjacent_difference test_scan_types)
set(onepass_by_gcc_in_kokkos_tiny test_kokkos test_merge_sort test_runs test_scan)

# onepass_lane_of_test(<out> <stem> <row>): sanitized, coverage, unchecked or openmp.
function(onepass_lane_of_test out stem row)
    set(lane openmp)
    list(GET onepass_row_${row} 0 program)
    if(program MATCHES "^(host|kokkos)_tiny$" AND NOT stem IN_LIST onepass_by_gcc_in_${program})
        set(lane unchecked)
    endif()
    if(stem IN_LIST onepass_covered_in_${row})
        set(lane coverage)
    endif()
    if(stem IN_LIST onepass_sanitized_in_${row})
        set(lane sanitized)
    endif()
    set(${out} ${lane} PARENT_SCOPE)
endfunction()

# onepass_kind_of_test(<out> <stem> <name of the programs>): the lanes that build that test. Those of a kind may be one program.
function(onepass_kind_of_test out stem name)
    set(kind tests)
    if(name STREQUAL "")
        set(kind units)
        if(stem IN_LIST onepass_not_covered)
            set(kind units_not_covered)
        endif()
    elseif(NOT ONEPASS_LANE STREQUAL "openmp") # which has no others
        string(SUBSTRING "${name}" 1 -1 program)
        set(lanes)
        foreach(row IN LISTS rows_of_${program})
            onepass_test_runs_in(runs ${stem} ${row})
            onepass_lane_of_test(lane ${stem} ${row})
            if(runs AND ONEPASS_LANE STREQUAL "sanitized")
                list(APPEND lanes ${lane})
            endif()
            foreach(lane sanitized covered)
                if(stem IN_LIST onepass_${lane}_in_${row})
                    string(APPEND kind _${lane})
                endif()
            endforeach()
        endforeach()
        # A program that is checked in one of its rows is so in all.
        if("unchecked" IN_LIST lanes AND NOT "sanitized" IN_LIST lanes)
            set(kind tests_unchecked)
        endif()
    endif()
    set(${out} ${kind} PARENT_SCOPE)
endfunction()
