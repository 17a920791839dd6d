# SPDX-License-Identifier: Apache-2.0
# The target `docs`: the API reference in HTML, from the docstrings of what is public, in <build>/docs/html. Offline; what
# Doxygen warns of - an undocumented function, a parameter or a reference that does not exist - is an error.
set(onepass_docs ${PROJECT_BINARY_DIR}/docs)
set(documented)
foreach(headers "*.hpp" "huffman/*.hpp" "huffman/codebook/*.hpp" "packed/*.hpp" "ranks/*.hpp" "classic/*.hpp"
        "classic/strategies/catalogue.hpp") # the same as in tests/api.py
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/algorithms/onepass/${headers})
    list(APPEND documented ${found})
endforeach()
foreach(page api references format strategies)
    list(APPEND documented ${PROJECT_SOURCE_DIR}/docs/${page}.md)
endforeach()

find_package(Doxygen 1.9.4 QUIET)
if(DOXYGEN_FOUND)
    list(TRANSFORM documented REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE onepass_documented)
    list(JOIN onepass_documented " " onepass_documented)
    configure_file(docs/Doxyfile.in ${onepass_docs}/Doxyfile @ONLY)
    add_custom_target(docs COMMAND Doxygen::doxygen ${onepass_docs}/Doxyfile
        COMMAND ${CMAKE_COMMAND} -E echo "docs: ${onepass_docs}/html/index.html"
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} SOURCES docs/Doxyfile.in VERBATIM)
else()
    add_custom_target(docs COMMAND ${CMAKE_COMMAND} -E echo "docs: no doxygen 1.9.4 or newer; install Debian's doxygen"
        COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
