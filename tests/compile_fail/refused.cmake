# SPDX-License-Identifier: Apache-2.0
# cmake -DCOMPILER= -DFLAGS= [-DPARSED=] -DSOURCE= -P refused.cmake: fails unless the compiler refuses SOURCE as its first line
# says. PARSED: a header that is included first, of which there is a precompiled one. A line `// compiled with: <option>` adds one.
file(STRINGS ${SOURCE} sentence LIMIT_COUNT 1)
if(NOT sentence MATCHES "^// expect: (.+)$")
    message(FATAL_ERROR "the first line of ${SOURCE} must be `// expect: <sentence of the compiler's message>`")
endif()
set(sentence "${CMAKE_MATCH_1}")
file(STRINGS ${SOURCE} options LIMIT_COUNT 1 REGEX "^// compiled with: ")
string(REPLACE "// compiled with: " "" options "${options}")

if(PARSED)
    set(first -include ${PARSED})
endif()
execute_process(COMMAND ${COMPILER} @${FLAGS} ${options} -fsyntax-only ${first} ${SOURCE} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(result EQUAL 0)
    message(FATAL_ERROR "the compiler took ${SOURCE}, and should have said: ${sentence}")
endif()
string(FIND "${said}" "${sentence}" position)
if(position EQUAL -1)
    message(FATAL_ERROR "the compiler refused ${SOURCE} without saying: ${sentence}\nIt said:\n${said}")
endif()
