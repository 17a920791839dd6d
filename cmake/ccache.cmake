# SPDX-License-Identifier: Apache-2.0
# Compiles through ccache where there is one, unless the user chose a launcher or this is part of another project.
# Kokkos' own launcher, which calls nvcc where the compiler is not nvcc_wrapper, does not go through a second one.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER
   AND (NOT Kokkos_ENABLE_CUDA OR CMAKE_CXX_COMPILER MATCHES nvcc_wrapper))
    find_program(ONEPASS_CCACHE ccache)
    mark_as_advanced(ONEPASS_CCACHE)
    if(ONEPASS_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${ONEPASS_CCACHE})
        if(CMAKE_CXX_COMPILER MATCHES nvcc_wrapper) # preprocessing shows ccache one side of the two that nvcc compiles
            set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 ${ONEPASS_CCACHE})
        endif()
    endif()
endif()
