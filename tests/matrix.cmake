# SPDX-License-Identifier: Apache-2.0
# The table of rows: where and how each test of tests/backends and tests/algorithms runs that is no unit. Rows that differ
# in schedule and anchor alone share a program, which is compiled once and run for each of them. Reluctant rows publish few
# inclusive prefixes, so that tiles look far back; tiny tuning meets every edge of the machines with small inputs.
#
# ONEPASS_TEST_ROWS picks rows by name or label; empty means all.
set(ONEPASS_TEST_ROWS "" CACHE STRING "Rows of tests/matrix.cmake to build, by name or label; empty means all")

set(onepass_rows)
macro(row name) # name, then the columns below
    list(APPEND onepass_rows ${name})
    set(onepass_row_${name} ${ARGN})
endmacro()

#   name                      program       space   backend tuning   schedule   anchor label
row(serial                    serial        host    serial  measured serial     1      serial)
row(host                      host          OpenMP  host    measured tiled      1      host)
row(host_tiny                 host_tiny     OpenMP  host    tiny     tiled      1      host)
row(kokkos_chained_tiny       kokkos_tiny   OpenMP  kokkos  tiny     chained    1      portable)
row(kokkos_chained_reluctant  kokkos_tiny   OpenMP  kokkos  tiny     chained    8      portable)
row(kokkos_two_pass           kokkos_tiny   OpenMP  kokkos  tiny     two_pass   1      portable)
row(cuda                      cuda          Cuda    cuda    measured automatic  1      gpu)
row(cuda_tiny_reluctant       cuda_tiny     Cuda    cuda    tiny     chained    8      gpu)
row(cuda_tiny_ahead           cuda_tiny     Cuda    cuda    tiny     automatic  1      gpu)
row(cuda_portable             cuda_portable Cuda    kokkos  measured chained    1      gpu)
row(cuda_portable_two_pass    cuda_portable Cuda    kokkos  measured two_pass   1      gpu)

# A test runs in every row, unless one of these lines names others for it.
set(onepass_chosen)
macro(rows_of stem) # test_<stem>, then its rows
    list(APPEND onepass_chosen test_${stem})
    set(onepass_rows_of_test_${stem} ${ARGN})
endmacro()
# What has no schedule to choose - orders, bins, lanes, ranges alone - would do the same thing again in rows that differ in nothing else.
foreach(stem apply_permutation argsort box_filter classic_compaction classic_huffman classic_sorts csr find histogram huffman huffman_batch
        huffman_codebook huffman_damage merge merge_sort packed_frame partition_by_key radix_sort radix_sort_by_key search
        segmented_sort sort_by_cell)
    rows_of(${stem} serial host host_tiny kokkos_chained_tiny cuda cuda_tiny_reluctant cuda_portable)
endforeach()
rows_of(scatter serial host host_tiny kokkos_chained_tiny kokkos_two_pass cuda cuda_tiny_reluctant cuda_portable cuda_portable_two_pass)
# The classic scans name no backend: teams run them everywhere.
rows_of(classic_strategies serial kokkos_chained_reluctant cuda cuda_tiny_reluctant)
# Canonical calls choose their own machine, and a team of the caller's own is one: one row a space.
rows_of(canonical serial cuda)
rows_of(team serial cuda)
rows_of(workspace_bands serial host host_tiny kokkos_chained_tiny kokkos_two_pass cuda cuda_tiny_reluctant cuda_tiny_ahead cuda_portable)
# Kokkos' wrapper of nvcc gives no device the integers of this one.
rows_of(wide_integers serial host host_tiny kokkos_chained_tiny)
# Rows of a matrix have no schedule, but for rows that are calls of their own, and these are as those of top_k.
rows_of(top_k_of_rows serial host_tiny kokkos_chained_tiny cuda cuda_tiny_ahead cuda_portable)
# What compilers fuse depends on the code around it: each kind of machine, once.
rows_of(fused serial host kokkos_chained_tiny cuda cuda_portable)
# What a user gives to these calls makes calls of a host.
rows_of(nested serial host host_tiny kokkos_chained_tiny)
# One backend sorts segments that come in pieces.
rows_of(order_in_pieces cuda cuda_tiny_reluctant)
rows_of(launches cuda)
# What stands behind these names has tests of its own.
rows_of(kokkos serial host kokkos_chained_tiny cuda cuda_portable)

# onepass_rows_here(<out>): the names of the rows that this build runs.
function(onepass_rows_here out)
    set(here)
    foreach(name IN LISTS onepass_rows)
        list(GET onepass_row_${name} 1 space)
        list(GET onepass_row_${name} 6 label)
        string(TOUPPER "${space}" device)
        if((space STREQUAL host OR Kokkos_ENABLE_${device})
           AND (NOT ONEPASS_TEST_ROWS OR name IN_LIST ONEPASS_TEST_ROWS OR label IN_LIST ONEPASS_TEST_ROWS))
            list(APPEND here ${name})
        endif()
    endforeach()
    set(${out} ${here} PARENT_SCOPE)
endfunction()

# onepass_test_runs_in(<out> <stem> <row>): whether that test says something in that row.
function(onepass_test_runs_in out stem name)
    set(runs TRUE)
    if(DEFINED onepass_rows_of_${stem} AND NOT name IN_LIST onepass_rows_of_${stem})
        set(runs FALSE)
    endif()
    set(${out} ${runs} PARENT_SCOPE)
endfunction()

# onepass_write_rows(<program> <folder> <row>...): <folder>/row.hpp, which tells that program where it runs.
function(onepass_write_rows program folder)
    set(row_choices)
    foreach(name IN LISTS ARGN)
        set(columns ${onepass_row_${name}})
        list(POP_FRONT columns row_program row_space row_backend row_tuning schedule anchor label)
        list(APPEND row_choices "{\"${name}\", onepass::schedule::${schedule}, ${anchor}}")
    endforeach()
    list(JOIN row_choices ", " row_choices)
    if(row_space STREQUAL host)
        set(row_space DefaultHostExecutionSpace)
    endif()
    configure_file(support/row.hpp.in ${folder}/row.hpp @ONLY)
endfunction()
