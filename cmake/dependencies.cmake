# SPDX-License-Identifier: Apache-2.0
include(FetchContent)

# onepass_dependency(<package> <target> <NAME>): the system's package, else the release that cmake/versions.cmake pins.
# A macro, since what find_package sets belongs to the caller.
macro(onepass_dependency package target name)
    find_package(${package} CONFIG QUIET)
    if(NOT TARGET ${target})
        message(STATUS "${package}: not installed, so ${ONEPASS_${name}_URL} is fetched")
        FetchContent_Declare(${package} URL ${ONEPASS_${name}_URL} URL_HASH ${ONEPASS_${name}_HASH}
            DOWNLOAD_EXTRACT_TIMESTAMP OFF SYSTEM)
        FetchContent_MakeAvailable(${package})
    endif()
endmacro()
