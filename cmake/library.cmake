# SPDX-License-Identifier: Apache-2.0
# onepass::onepass: headers of three rooms, but for the packed format (packed.cmake) and calls over ranks (ranks.cmake), and
# some compiled files where Highway is there.
set(onepass_generated ${PROJECT_BINARY_DIR}/generated)
configure_file(core/onepass/version.hpp.in ${onepass_generated}/onepass/version.hpp @ONLY)

set(onepass_rooms core backends algorithms)
list(TRANSFORM onepass_rooms PREPEND ${PROJECT_SOURCE_DIR}/)
set(onepass_headers)
foreach(room IN LISTS onepass_rooms)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${room}/onepass/*.hpp)
    list(APPEND onepass_headers ${headers})
endforeach()
set(onepass_packed_headers ${onepass_headers})
list(FILTER onepass_packed_headers INCLUDE REGEX "/algorithms/onepass/packed/")
set(onepass_ranks_headers ${onepass_headers})
list(FILTER onepass_ranks_headers INCLUDE REGEX "/algorithms/onepass/ranks/")
list(REMOVE_ITEM onepass_headers ${onepass_packed_headers} ${onepass_ranks_headers})
list(APPEND onepass_headers ${onepass_generated}/onepass/version.hpp)

add_library(onepass INTERFACE)
add_library(onepass::onepass ALIAS onepass)
target_sources(onepass INTERFACE
    FILE_SET HEADERS BASE_DIRS ${onepass_rooms} ${onepass_generated} FILES ${onepass_headers})
target_compile_features(onepass INTERFACE cxx_std_20)
target_link_libraries(onepass INTERFACE Kokkos::kokkos)

# The vector kernels know pointers only, no Kokkos and no device, so the host's compiler takes them in every build.
set(onepass_vector_sources vector vector_grids vector_trees compress hold merge_in_vectors)
list(TRANSFORM onepass_vector_sources REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/backends/onepass/backends/host/\\1.cpp")
if(hwy_FOUND)
    add_library(onepass_host_vector STATIC ${onepass_vector_sources})
    add_library(onepass::host_vector ALIAS onepass_host_vector)
    set_target_properties(onepass_host_vector PROPERTIES EXPORT_NAME host_vector POSITION_INDEPENDENT_CODE ON)
    target_compile_features(onepass_host_vector PUBLIC cxx_std_20)
    target_compile_definitions(onepass_host_vector PUBLIC ONEPASS_HIGHWAY=1)
    # Instrumented by the sanitizers these files take gigabytes and many minutes to compile, and of what is compiled for
    # several processors lines and branches say little. Without optimisation Highway's choice of a processor's functions is not
    # inlined, the linker keeps that of one file, and it finds none in a file that is compiled for other processors.
    # Exact sums are made here: they bear no -ffast-math or -Ofast of a project around this one.
    target_compile_options(onepass_host_vector PRIVATE -ffp-contract=off -fno-fast-math -fno-sanitize=all
        $<$<CONFIG:>:-O3> $<$<CONFIG:Debug>:-O1>
        $<$<CXX_COMPILER_ID:Clang>:-fno-profile-instr-generate;-fno-coverage-mapping>)
    if(CMAKE_CXX_COMPILER MATCHES nvcc_wrapper)
        target_compile_options(onepass_host_vector PRIVATE --host-only)
    endif()
    target_include_directories(onepass_host_vector PRIVATE ${onepass_rooms} ${onepass_generated})
    target_link_libraries(onepass_host_vector PRIVATE hwy::hwy)
    if(TARGET hwy::hwy_contrib) # with Highway's sort
        target_sources(onepass_host_vector PRIVATE ${PROJECT_SOURCE_DIR}/backends/onepass/backends/host/sort_in_vectors.cpp)
        target_compile_definitions(onepass_host_vector PUBLIC ONEPASS_HIGHWAY_SORT=1)
        target_link_libraries(onepass_host_vector PRIVATE hwy::hwy_contrib)
    endif()
    target_link_libraries(onepass INTERFACE onepass_host_vector)
endif()
