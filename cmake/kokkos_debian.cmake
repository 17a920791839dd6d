# SPDX-License-Identifier: Apache-2.0
# scripts/setup puts this file beside the KokkosConfig.cmake of a Debian package that it unpacked into a folder.
# That Kokkos was built with a newer C runtime than the system's, so whatever links it must run with the folder's
# loader and libraries. Link options of the imported target say so; nothing global changes.
get_filename_component(_onepass_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
file(GLOB _onepass_loader "${_onepass_lib}/ld-linux*.so.*")

# The folder's libgomp takes the place of the compiler's, which lacks symbols that this Kokkos needs. What clang compiles
# calls its own OpenMP, which has to answer this Kokkos too: were libgomp asked first, all threads were number 0.
set(_onepass_openmp "$<IF:$<LINK_LANG_AND_ID:CXX,Clang>,-fopenmp,${_onepass_lib}/libgomp.so.1>")
get_target_property(_onepass_libraries Kokkos::kokkoscore INTERFACE_LINK_LIBRARIES)
list(TRANSFORM _onepass_libraries REPLACE "^OpenMP::OpenMP_CXX$" "${_onepass_openmp}")
set_property(TARGET Kokkos::kokkoscore PROPERTY INTERFACE_LINK_LIBRARIES "${_onepass_libraries}")
set_property(TARGET Kokkos::kokkoscore APPEND PROPERTY INTERFACE_COMPILE_OPTIONS
    "$<$<COMPILE_LANGUAGE:CXX>:${OpenMP_CXX_FLAGS}>")

# RPATH, not RUNPATH: the libraries that Kokkos itself loads must come from the folder too.
set_property(TARGET Kokkos::kokkoscore APPEND PROPERTY INTERFACE_LINK_OPTIONS
    "LINKER:--dynamic-linker=${_onepass_loader}"
    "LINKER:--disable-new-dtags" "LINKER:-rpath,${_onepass_lib}"
    "LINKER:--allow-shlib-undefined")

unset(_onepass_lib)
unset(_onepass_loader)
unset(_onepass_openmp)
unset(_onepass_libraries)
