# SPDX-License-Identifier: Apache-2.0

# onepass_target_defaults(<target>): what onepass' own programs are compiled with, and its users' are not: warnings,
# and no fused multiply-add on the host, so that a float result is the same whatever the compiler makes of a line.
function(onepass_target_defaults target)
    set(flags -Wall -Wextra -Wshadow -ffp-contract=off)
    if(ONEPASS_WARNINGS_AS_ERRORS)
        list(APPEND flags -Werror)
    endif()
    # nvcc as the compiler of a CUDA language takes host flags only behind -Xcompiler; Kokkos' nvcc_wrapper, which
    # poses as a C++ compiler, sorts them itself.
    list(JOIN flags "," host_flags)
    target_compile_options(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:${flags}>"
        "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=${host_flags}>")
    target_link_libraries(${target} PRIVATE onepass::onepass)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# onepass_quick_options: for what is right or wrong at any level of optimisation, and of which compiling takes most of the time.
# Against -O1, g++'s -Og takes a third off that and adds a fifth to what then runs; it is quicker than -O0 where much is inlined,
# warns of more than is there, and cannot keep xxHash's promises of what is inlined. nvcc does not know it.
set(onepass_quick_options -O1)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT Kokkos_ENABLE_CUDA)
    set(onepass_quick_options -Og -Wno-uninitialized -DXXH_NO_INLINE_HINTS=1)
endif()
set(onepass_quick_options "$<$<CONFIG:Release,RelWithDebInfo>:${onepass_quick_options}>")

# onepass_instances(<target>): what it compiles is the same for one item type after another, and as right hardly optimised,
# which ONEPASS_OPTIMISED_INSTANCES=OFF asks for.
function(onepass_instances target)
    if(NOT ONEPASS_OPTIMISED_INSTANCES)
        target_compile_options(${target} PRIVATE ${onepass_quick_options})
    endif()
endfunction()

# onepass_precompile(<target> <header>...): with ONEPASS_PRECOMPILED_HEADERS, what all sources of the target include of other
# projects is parsed once. For builds that start with an empty compiler cache: a cache takes no such objects.
function(onepass_precompile target)
    if(ONEPASS_PRECOMPILED_HEADERS)
        list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
        target_precompile_headers(${target} PRIVATE ${headers})
    endif()
endfunction()
# onepass_precompile_as(<target> <other>): the headers that were parsed for the other, which has the same flags.
function(onepass_precompile_as target other)
    if(ONEPASS_PRECOMPILED_HEADERS)
        target_precompile_headers(${target} REUSE_FROM ${other})
    endif()
endfunction()
# onepass_compile_together(<target> <number>): with ONEPASS_PRECOMPILED_HEADERS so many of its sources are compiled as
# one, 0 all of them. They share what they instantiate; beside a cache, a change of one would compile them all.
function(onepass_compile_together target number)
    if(ONEPASS_PRECOMPILED_HEADERS)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${number})
    endif()
endfunction()
