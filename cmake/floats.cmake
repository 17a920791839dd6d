# SPDX-License-Identifier: Apache-2.0
# onepass_flags_that_change_floats(<out> <flags>): those of the flags under which the compiler evaluates other expressions than
# are written: it reassociates, fuses or flushes. canonically() then promises nothing (docs/canonical.md).
function(onepass_flags_that_change_floats out flags)
    string(REGEX MATCHALL
        "(-Ofast|-ffast-math|-fassociative-math|-funsafe-math-optimizations|-ffp-contract=fast|-ffp-model=(fast|aggressive)|-mdaz-ftz|-?-use_fast_math|-?-ftz[= ]true)"
        found "${flags}")
    list(REMOVE_DUPLICATES found)
    list(JOIN found " " found)
    set(${out} "${found}" PARENT_SCOPE)
endfunction()

string(TOUPPER "${CMAKE_BUILD_TYPE}" onepass_build_type)
get_property(onepass_float_options DIRECTORY PROPERTY COMPILE_OPTIONS) # add_compile_options
list(JOIN onepass_float_options " " onepass_float_options)
onepass_flags_that_change_floats(onepass_float_flags
    "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${onepass_build_type}} ${CMAKE_CUDA_FLAGS} ${onepass_float_options}")
if(onepass_float_flags)
    message(WARNING "onepass: with ${onepass_float_flags} floats have other bits than canonically() promises (docs/canonical.md)")
endif()
