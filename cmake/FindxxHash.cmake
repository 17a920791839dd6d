# SPDX-License-Identifier: Apache-2.0
# Finds xxhash.h, version 0.8 or newer, whose checksums the packed format has: find_package(xxHash) makes
# xxHash::header_only, a target of nothing but the folder of that header. Nothing is linked. Installed beside
# onepassConfig.cmake, which reads it for the component `packed`.
find_path(xxHash_INCLUDE_DIR xxhash.h)
mark_as_advanced(xxHash_INCLUDE_DIR)

if(EXISTS "${xxHash_INCLUDE_DIR}/xxhash.h")
    file(STRINGS ${xxHash_INCLUDE_DIR}/xxhash.h xxHash_VERSION REGEX "^#define XXH_VERSION_(MAJOR|MINOR|RELEASE) +[0-9]+")
    list(TRANSFORM xxHash_VERSION REPLACE "^[^0-9]*([0-9]+).*$" "\\1")
    list(JOIN xxHash_VERSION "." xxHash_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(xxHash REQUIRED_VARS xxHash_INCLUDE_DIR xxHash_VERSION VERSION_VAR xxHash_VERSION
    REASON_FAILURE_MESSAGE "xxhash.h is missing or too old. Debian has it in libxxhash-dev, and xxHash_INCLUDE_DIR may name its folder")

if(xxHash_FOUND AND NOT TARGET xxHash::header_only)
    add_library(xxHash::header_only INTERFACE IMPORTED)
    target_include_directories(xxHash::header_only INTERFACE ${xxHash_INCLUDE_DIR})
endif()
