# SPDX-License-Identifier: Apache-2.0
# The table of rows: where and how each test of tests/backends and tests/algorithms runs. A test is compiled once for
# every row whose execution space the found Kokkos has. Reluctant rows publish few inclusive prefixes, so that tiles
# look far back; tiny tuning meets every edge of the machines with small inputs.
#
# ONEPASS_TEST_ROWS picks rows by name or label; empty means all.
set(ONEPASS_TEST_ROWS "" CACHE STRING "Rows of tests/matrix.cmake to build, by name or label; empty means all")

set(onepass_rows)
macro(row name) # name, then the columns below
    list(APPEND onepass_rows ${name})
    set(onepass_row_${name} ${ARGN})
endmacro()

#   name                      space   backend schedule   tuning   anchor label
row(serial                    host    serial  serial     measured 1      serial)
row(host                      OpenMP  host    tiled      measured 1      host)
row(host_tiny                 OpenMP  host    tiled      tiny     1      host)
row(kokkos_chained_tiny       OpenMP  kokkos  chained    tiny     1      portable)
row(kokkos_chained_reluctant  OpenMP  kokkos  chained    tiny     8      portable)
row(kokkos_two_pass           OpenMP  kokkos  two_pass   tiny     1      portable)
row(cuda                      Cuda    cuda    automatic  measured 1      gpu)
row(cuda_tiny_reluctant       Cuda    cuda    chained    tiny     8      gpu)
row(cuda_tiny_ahead           Cuda    cuda    automatic  tiny     1      gpu)
row(cuda_portable             Cuda    kokkos  chained    measured 1      gpu)
row(cuda_portable_two_pass    Cuda    kokkos  two_pass   measured 1      gpu)

# Tests of what has no schedule to choose - orders, bins, lanes - would do the same thing again in these rows.
set(onepass_rows_of_schedules kokkos_chained_reluctant kokkos_two_pass cuda_tiny_ahead cuda_portable_two_pass)
set(onepass_tests_without_schedules test_argsort test_box_filter test_classic_huffman test_classic_sorts test_classics test_frame
    test_histogram test_huffman test_huffman_batch test_huffman_codebook
    test_huffman_damage test_partition_by_key test_radix_sort test_radix_sort_by_key test_segmented_sort)

# Tests that name no backend - the classic scans run by teams everywhere - have enough of the others.
set(onepass_rows_of_backends host host_tiny kokkos_chained_tiny kokkos_two_pass cuda_tiny_ahead cuda_portable cuda_portable_two_pass)
set(onepass_tests_without_backends test_strategies)

# Tests that choose their own machine need one row a space.
set(onepass_tests_of_spaces test_canonical)
set(onepass_rows_of_spaces serial cuda)

# onepass_rows_here(<out>): the names of the rows that this build compiles.
function(onepass_rows_here out)
    set(here)
    foreach(name IN LISTS onepass_rows)
        list(GET onepass_row_${name} 0 space)
        list(GET onepass_row_${name} 5 label)
        string(TOUPPER "${space}" device)
        if((space STREQUAL host OR Kokkos_ENABLE_${device})
           AND (NOT ONEPASS_TEST_ROWS OR name IN_LIST ONEPASS_TEST_ROWS OR label IN_LIST ONEPASS_TEST_ROWS))
            list(APPEND here ${name})
        endif()
    endforeach()
    set(${out} ${here} PARENT_SCOPE)
endfunction()

# onepass_write_row(<name> <folder> <label-out>): <folder>/row.hpp, which tells a test where it runs.
function(onepass_write_row row_name folder label_out)
    set(columns ${onepass_row_${row_name}})
    list(POP_FRONT columns row_space row_backend row_schedule row_tuning row_anchor label)
    if(row_space STREQUAL host)
        set(row_space DefaultHostExecutionSpace)
    endif()
    configure_file(support/row.hpp.in ${folder}/row.hpp @ONLY)
    set(${label_out} ${label} PARENT_SCOPE)
endfunction()
