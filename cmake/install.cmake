# SPDX-License-Identifier: Apache-2.0
# cmake --install puts headers, the vector library where there is one, and a package that find_package(onepass) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(onepass_package ${CMAKE_INSTALL_LIBDIR}/cmake/onepass)

set(onepass_targets onepass)
if(TARGET onepass_host_vector)
    list(APPEND onepass_targets onepass_host_vector)
    # Where Kokkos is installed, all that an install needs compiled: who has not built yet gets it here.
    install(CODE "if(NOT EXISTS \"$<TARGET_FILE:onepass_host_vector>\")
        execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target onepass_host_vector
            --config \"$<CONFIG>\" COMMAND_ERROR_IS_FATAL ANY)
    endif()")
endif()
install(TARGETS ${onepass_targets} EXPORT onepassTargets FILE_SET HEADERS)
install(EXPORT onepassTargets NAMESPACE onepass:: DESTINATION ${onepass_package})

# The component `packed`: find_package(onepass COMPONENTS packed).
if(TARGET onepass_packed)
    install(TARGETS onepass_packed EXPORT onepassPackedTargets FILE_SET HEADERS)
    install(EXPORT onepassPackedTargets NAMESPACE onepass:: DESTINATION ${onepass_package})
    install(FILES cmake/FindxxHash.cmake DESTINATION ${onepass_package})
endif()

# The component `ranks`: find_package(onepass COMPONENTS ranks).
if(TARGET onepass_ranks)
    install(TARGETS onepass_ranks EXPORT onepassRanksTargets FILE_SET HEADERS)
    install(EXPORT onepassRanksTargets NAMESPACE onepass:: DESTINATION ${onepass_package})
endif()

configure_package_config_file(cmake/onepassConfig.cmake.in onepassConfig.cmake INSTALL_DESTINATION ${onepass_package})
write_basic_package_version_file(onepassConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/onepassConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/onepassConfigVersion.cmake
    DESTINATION ${onepass_package})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/onepass) # CMAKE_INSTALL_DOCDIR is an enclosing project's
