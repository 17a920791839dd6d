# SPDX-License-Identifier: Apache-2.0
# Compiles through ccache where there is one, unless the user chose a launcher or this is part of another project.
# Kokkos' own launcher for nvcc takes the compiler's place and does not go through a second one.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER AND NOT Kokkos_ENABLE_CUDA)
    find_program(ONEPASS_CCACHE ccache)
    mark_as_advanced(ONEPASS_CCACHE)
    if(ONEPASS_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${ONEPASS_CCACHE})
    endif()
endif()
