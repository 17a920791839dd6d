# SPDX-License-Identifier: Apache-2.0
# Makes Kokkos::kokkos, from the first of: the enclosing project, an installed one, a source tree that
# FETCHCONTENT_SOURCE_DIR_KOKKOS names, the pinned release. What scripts/setup unpacked counts as installed.
foreach(name Kokkos_ROOT FETCHCONTENT_SOURCE_DIR_KOKKOS)
    if(NOT DEFINED ${name} AND DEFINED ENV{${name}})
        set(${name} $ENV{${name}})
    endif()
endforeach()
include(${CMAKE_CURRENT_LIST_DIR}/kokkos_root.cmake)

# A Kokkos that is a part of this build tells nobody its devices, as an installed one does.
macro(onepass_find_devices_of_kokkos)
    get_target_property(onepass_kokkos_target Kokkos::kokkos ALIASED_TARGET)
    if(onepass_kokkos_target)
        get_target_property(onepass_kokkos_folder ${onepass_kokkos_target} SOURCE_DIR)
        get_directory_property(Kokkos_DEVICES DIRECTORY ${onepass_kokkos_folder} DEFINITION KOKKOS_ENABLED_DEVICES)
    endif()
endmacro()

if(TARGET Kokkos::kokkos)
    onepass_find_devices_of_kokkos()
    message(STATUS "Kokkos: ${Kokkos_VERSION} (${Kokkos_DEVICES}), because the enclosing project has it")
    return()
endif()

set(onepass_wants_cuda "${Kokkos_ENABLE_CUDA}") # find_package may set the name
set(onepass_unpacked)
if(NOT onepass_wants_cuda AND EXISTS ${PROJECT_SOURCE_DIR}/.deps/debian/complete)
    set(onepass_unpacked HINTS ${PROJECT_SOURCE_DIR}/.deps/debian/usr)
endif()
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON) # an enclosing project links them through onepass::onepass
find_package(Kokkos ${ONEPASS_KOKKOS_RANGE} CONFIG QUIET ${onepass_unpacked})
unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)

string(FIND "${Kokkos_DIR}" "${PROJECT_SOURCE_DIR}/.deps/debian/" onepass_at)
if(NOT onepass_at EQUAL 0)
    set(onepass_unpacked) # of what was unpacked, all or nothing: its libraries need the C runtime that its Kokkos brings
endif()
if(Kokkos_FOUND)
    if(onepass_wants_cuda AND NOT "CUDA" IN_LIST Kokkos_DEVICES)
        message(FATAL_ERROR "Kokkos in ${Kokkos_DIR} has no CUDA, which Kokkos_ENABLE_CUDA=ON asks for. Set Kokkos_ROOT to "
            "one that has, or FETCHCONTENT_SOURCE_DIR_KOKKOS to a source tree with CMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON")
    elseif("CUDA" IN_LIST Kokkos_DEVICES AND NOT "${onepass_wants_cuda}" STREQUAL "" AND NOT onepass_wants_cuda)
        message(FATAL_ERROR "Kokkos in ${Kokkos_DIR} starts only with a GPU, and Kokkos_ENABLE_CUDA=OFF asks for one without. "
            "Use a cuda preset, set Kokkos_ROOT, or run scripts/setup, which gets one")
    endif()
    foreach(arch HOPPER90 AMPERE80)
        if(Kokkos_ARCH_${arch} AND NOT ${arch} IN_LIST Kokkos_ARCH)
            message(FATAL_ERROR "Kokkos in ${Kokkos_DIR} was built for ${Kokkos_ARCH}, and Kokkos_ARCH_${arch}=ON asks for another. "
                "Set Kokkos_ROOT to one that fits, or give -DKokkos_ARCH_${arch}=OFF to take what is there")
        endif()
    endforeach()
    # What ccache.cmake says of presets, of a Kokkos that was installed with CUDA.
    if("CUDA" IN_LIST Kokkos_DEVICES AND ONEPASS_CCACHE AND "${CMAKE_CXX_COMPILER_LAUNCHER}" STREQUAL ONEPASS_CCACHE)
        unset(CMAKE_CXX_COMPILER_LAUNCHER)
    endif()
    message(STATUS "Kokkos: ${Kokkos_VERSION} (${Kokkos_DEVICES}) in ${Kokkos_DIR}, because it is installed")
    if(FETCHCONTENT_SOURCE_DIR_KOKKOS)
        message(STATUS "Kokkos: FETCHCONTENT_SOURCE_DIR_KOKKOS is not used; CMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON prefers it")
    endif()
    return()
endif()

include(FetchContent)
FetchContent_Declare(Kokkos URL ${ONEPASS_KOKKOS_URL} URL_HASH ${ONEPASS_KOKKOS_HASH} DOWNLOAD_EXTRACT_TIMESTAMP OFF SYSTEM)
if(FETCHCONTENT_SOURCE_DIR_KOKKOS)
    message(STATUS "Kokkos: built from ${FETCHCONTENT_SOURCE_DIR_KOKKOS}, because FETCHCONTENT_SOURCE_DIR_KOKKOS names it")
else()
    if(NOT EXISTS ${FETCHCONTENT_BASE_DIR}/kokkos-src/CMakeLists.txt)
        execute_process(COMMAND git ls-remote --exit-code ${ONEPASS_KOKKOS_REPOSITORY} HEAD
            RESULT_VARIABLE onepass_no_repository TIMEOUT 8 OUTPUT_QUIET ERROR_QUIET)
        if(onepass_no_repository)
            message(FATAL_ERROR "onepass needs Kokkos 4.7 up to 6: none is installed, and ${ONEPASS_KOKKOS_REPOSITORY} "
                "does not answer. Run scripts/setup (Debian), set Kokkos_ROOT to an installed one, or set "
                "FETCHCONTENT_SOURCE_DIR_KOKKOS to a source tree")
        endif()
    endif()
    message(STATUS "Kokkos: ${ONEPASS_KOKKOS_PIN}, fetched and built, because none is installed")
endif()

# A Kokkos built here serves the host cores unless the user says otherwise.
if(NOT DEFINED Kokkos_ENABLE_OPENMP AND NOT DEFINED Kokkos_ENABLE_THREADS)
    set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "Kokkos' OpenMP space")
endif()
FetchContent_MakeAvailable(Kokkos)
onepass_find_devices_of_kokkos()
FetchContent_GetProperties(Kokkos SOURCE_DIR onepass_kokkos_source)
file(STRINGS ${onepass_kokkos_source}/CMakeLists.txt onepass_kokkos_version REGEX "^set\\(Kokkos_VERSION_(MAJOR|MINOR) ")
list(TRANSFORM onepass_kokkos_version REPLACE "[^0-9]" "")
list(JOIN onepass_kokkos_version "." onepass_kokkos_version)
if(onepass_kokkos_version VERSION_LESS 4.7 OR onepass_kokkos_version VERSION_GREATER_EQUAL 6)
    message(FATAL_ERROR "Kokkos ${onepass_kokkos_version} in ${onepass_kokkos_source} is out of range: onepass needs 4.7 up to 6")
endif()
message(STATUS "Kokkos: it serves ${Kokkos_DEVICES}")
