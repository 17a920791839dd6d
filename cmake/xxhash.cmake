# SPDX-License-Identifier: Apache-2.0
# xxHash's header, which onepass/container.hpp includes and nothing else needs. It is not linked.
find_path(ONEPASS_XXHASH_INCLUDE xxhash.h)
mark_as_advanced(ONEPASS_XXHASH_INCLUDE)
if(ONEPASS_XXHASH_INCLUDE)
    target_include_directories(onepass SYSTEM INTERFACE $<BUILD_INTERFACE:${ONEPASS_XXHASH_INCLUDE}>)
elseif(ONEPASS_ENABLE_TOOLS OR ONEPASS_ENABLE_TESTS)
    message(FATAL_ERROR "xxhash.h is missing, which the packed format's checksums need. Install libxxhash-dev (scripts/setup does), "
        "set ONEPASS_XXHASH_INCLUDE to the folder that has it, or switch ONEPASS_ENABLE_TOOLS and ONEPASS_ENABLE_TESTS off")
endif()
