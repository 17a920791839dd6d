# SPDX-License-Identifier: Apache-2.0
# Makes hwy::hwy where Google Highway is new enough; without it the host backend uses plain OpenMP.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
set(onepass_beside ${onepass_unpacked})
if(Kokkos_ROOT) # one prefix often has both
    list(APPEND onepass_beside HINTS ${Kokkos_ROOT})
endif()
find_package(hwy ${ONEPASS_HIGHWAY_MINIMUM} CONFIG QUIET ${onepass_beside})
unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)

if(hwy_FOUND)
    message(STATUS "Highway: ${hwy_VERSION} in ${hwy_DIR}, so host loops use its vectors")
else()
    message(STATUS "Highway: none of version ${ONEPASS_HIGHWAY_MINIMUM} or newer, so host loops use plain OpenMP")
endif()
