# SPDX-License-Identifier: Apache-2.0
# Gives every target of a project onepass without a change to its own files: -DCMAKE_PROJECT_INCLUDE=<this file>. As soon as
# the outermost project() has run, an installed onepass is taken where onepass_ROOT names one (for projects that take each library
# they link for an installed one), else it is added from this source tree; and linked to what follows.
if(PROJECT_IS_TOP_LEVEL AND NOT TARGET onepass::onepass)
    get_filename_component(onepass_source "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
    find_package(Kokkos REQUIRED CONFIG)
    if(onepass_ROOT)
        find_package(onepass REQUIRED CONFIG)
    else()
        add_subdirectory("${onepass_source}" onepass EXCLUDE_FROM_ALL)
    endif()
    link_libraries(onepass::onepass)
endif()
# Of compare.py: where timed.hpp is.
if(ADOPTED)
    include_directories("${CMAKE_CURRENT_LIST_DIR}")
endif()
