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

# onepass_instances(<target>): what it compiles is the same for one item type after another, and as right unoptimised, which
# ONEPASS_OPTIMISED_INSTANCES=OFF asks for.
function(onepass_instances target)
    if(NOT ONEPASS_OPTIMISED_INSTANCES)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
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
