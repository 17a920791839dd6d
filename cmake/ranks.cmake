# SPDX-License-Identifier: Apache-2.0
# onepass::ranks: calls over the ranks of a parallel program (onepass/ranks/*.hpp), where MPI is found.
set(ONEPASS_ENABLE_RANKS AUTO CACHE STRING "Calls over MPI ranks: ON, OFF, or AUTO for where MPI is found")
set_property(CACHE ONEPASS_ENABLE_RANKS PROPERTY STRINGS AUTO ON OFF)

option(ONEPASS_ENABLE_NCCL "Payloads of devices by NCCL, where a program asks for it (onepass/ranks/nccl.hpp)" OFF)

if(ONEPASS_ENABLE_RANKS)
    set(MPI_CXX_SKIP_MPICXX ON)
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON) # an enclosing project links it through onepass::ranks
    find_package(MPI ${ONEPASS_MPI_MINIMUM} COMPONENTS CXX QUIET)
    unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
endif()
if(ONEPASS_ENABLE_RANKS AND MPI_CXX_FOUND)
    message(STATUS "MPI: ${MPI_CXX_VERSION}, so there is onepass::ranks")
    add_library(onepass_ranks INTERFACE)
    add_library(onepass::ranks ALIAS onepass_ranks)
    set_target_properties(onepass_ranks PROPERTIES EXPORT_NAME ranks)
    target_sources(onepass_ranks INTERFACE
        FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/algorithms FILES ${onepass_ranks_headers})
    target_link_libraries(onepass_ranks INTERFACE onepass MPI::MPI_CXX)
    if(ONEPASS_ENABLE_NCCL)
        find_path(NCCL_INCLUDE_DIR nccl.h)
        find_library(NCCL_LIBRARY nccl PATH_SUFFIXES lib64)
        if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
            message(FATAL_ERROR "ONEPASS_ENABLE_NCCL is ON, and CMake finds no nccl.h or no libnccl. Install NCCL (libnccl-dev "
                "of NVIDIA's packages), name its folder in CMAKE_PREFIX_PATH, or leave it OFF")
        endif()
        message(STATUS "NCCL: ${NCCL_LIBRARY}, so payloads of devices may go by it")
        target_compile_definitions(onepass_ranks INTERFACE ONEPASS_NCCL=1)
        target_include_directories(onepass_ranks SYSTEM INTERFACE ${NCCL_INCLUDE_DIR}) # installed too, as the library is
        target_link_libraries(onepass_ranks INTERFACE ${NCCL_LIBRARY})
    endif()
elseif(ONEPASS_ENABLE_RANKS AND NOT ONEPASS_ENABLE_RANKS STREQUAL "AUTO")
    message(FATAL_ERROR "ONEPASS_ENABLE_RANKS is ${ONEPASS_ENABLE_RANKS}, and CMake finds no MPI of version "
        "${ONEPASS_MPI_MINIMUM} or newer. Install one (Debian's libopenmpi-dev and openmpi-bin; scripts/setup "
        "does), name its compiler as MPI_CXX_COMPILER, or leave AUTO")
else()
    message(STATUS "MPI: none, or not asked for, so there is no onepass::ranks")
endif()

# onepass_add_mpi_test(<name> <target> <ranks> [<argument>...]): a run of that program over so many ranks, which share the cores
# of whoever tests. Open MPI wants to be told that, and that root tests in containers.
function(onepass_add_mpi_test name target ranks)
    if(NOT MPIEXEC_EXECUTABLE)
        message(STATUS "MPI: no mpiexec, so ${name} is not run")
        return()
    endif()
    execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE starter ERROR_QUIET)
    set(many)
    if(starter MATCHES "Open ?MPI|Open ?RTE")
        set(many --oversubscribe --allow-run-as-root)
    endif()
    add_test(NAME ${name}
        COMMAND ${MPIEXEC_EXECUTABLE} ${many} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${target}> ${ARGN})
    set_tests_properties(${name} PROPERTIES TIMEOUT 300 RUN_SERIAL ON LABELS mpi
        ENVIRONMENT "OMP_PROC_BIND=false;OMP_NUM_THREADS=1")
endfunction()
