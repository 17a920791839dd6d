# SPDX-License-Identifier: Apache-2.0
# onepass::packed: the packed format (onepass/packed/*.hpp), which needs xxHash's header for its checksums, where that is
# found.
list(PREPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON) # an enclosing project links it through onepass::packed
find_package(xxHash ${ONEPASS_XXHASH_MINIMUM} MODULE QUIET)
unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
list(POP_FRONT CMAKE_MODULE_PATH)

if(xxHash_FOUND)
    message(STATUS "xxHash: ${xxHash_VERSION} in ${xxHash_INCLUDE_DIR}, so there is onepass::packed")
    add_library(onepass_packed INTERFACE)
    add_library(onepass::packed ALIAS onepass_packed)
    set_target_properties(onepass_packed PROPERTIES EXPORT_NAME packed)
    target_sources(onepass_packed INTERFACE
        FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/algorithms FILES ${onepass_packed_headers})
    target_link_libraries(onepass_packed INTERFACE onepass xxHash::header_only)
elseif(ONEPASS_ENABLE_TOOLS OR ONEPASS_ENABLE_TESTS)
    message(FATAL_ERROR "xxhash.h ${ONEPASS_XXHASH_MINIMUM} or newer is missing, which the packed format's checksums need. "
        "Install libxxhash-dev (scripts/setup does), set xxHash_INCLUDE_DIR to the folder that has it, or switch "
        "ONEPASS_ENABLE_TOOLS and ONEPASS_ENABLE_TESTS off")
else()
    message(STATUS "xxHash: none, so there is no onepass::packed")
endif()
