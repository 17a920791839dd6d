# SPDX-License-Identifier: Apache-2.0
# onepass_link_commit(<target>): the target may include commit.hpp, whose build::commit() names the commit that it was built
# from, with -dirty behind it where the tree had changes (results of measurements aside); "unknown" where there is no git.
# Git is asked in every build. Where it says something else than before, one small file is compiled and what links it is
# linked again, nothing else.
if(CMAKE_SCRIPT_MODE_FILE) # in the build: writes `output` if the commit of `source` is another one
    set(git git --no-optional-locks -C ${source})
    execute_process(COMMAND ${git} rev-parse --show-prefix
        RESULT_VARIABLE no_git OUTPUT_VARIABLE below OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${git} describe --always
        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(commit AND NOT no_git AND below STREQUAL "") # not the commit of a repository that has the source in a folder
        execute_process(COMMAND ${git} diff --quiet HEAD -- . ":(exclude)perf/results" RESULT_VARIABLE changed)
        if(changed)
            string(APPEND commit -dirty)
        endif()
    else()
        set(commit unknown)
    endif()
    file(CONFIGURE OUTPUT ${output} CONTENT
        "#include \"commit.hpp\"\n\nchar const* build::commit() { return \"${commit}\"; }\n" @ONLY)
    return()
endif()

set(onepass_commit_script ${CMAKE_CURRENT_LIST_FILE} CACHE INTERNAL "")

function(onepass_link_commit target)
    if(NOT TARGET onepass_commit)
        set(folder ${PROJECT_BINARY_DIR}/commit)
        file(CONFIGURE OUTPUT ${folder}/commit.hpp CONTENT "#pragma once\n\nnamespace build {\n\nchar const* commit();\n\n}\n")
        add_custom_target(onepass_commit_asked BYPRODUCTS ${folder}/commit.cpp
            COMMAND ${CMAKE_COMMAND} -D source=${PROJECT_SOURCE_DIR} -D output=${folder}/commit.cpp -P ${onepass_commit_script}
            COMMENT "Asking git for the commit")
        add_library(onepass_commit STATIC ${folder}/commit.cpp)
        target_include_directories(onepass_commit PUBLIC ${folder})
        add_dependencies(onepass_commit onepass_commit_asked)
    endif()
    target_link_libraries(${target} PRIVATE onepass_commit)
endfunction()
