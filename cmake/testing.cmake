# Functions that register tests. Every test runs in the environment of tools/mpi_env.sh and has a time limit.
set(THALWEG_PYTHON ${PROJECT_SOURCE_DIR}/.venv/bin/python)
set(THALWEG_TEST_ENTRY ${PROJECT_SOURCE_DIR}/tools/test_entry.sh)
set_property(GLOBAL PROPERTY THALWEG_LANE_OF_TESTS 0)

# thalweg_add_test(NAME COMMAND… TIMEOUT s [LABELS …]): a ctest entry. Of several at a time those come first that may take
# longest. Twelve "processors" are given out, for two cores: to most entries three of them, to one that waits a single one.
# Those that wait come first, in two lanes: so three that compute run beside them, and four when they are done.
function(thalweg_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "TIMEOUT" "COMMAND;LABELS")
  add_test(NAME ${name} COMMAND ${THALWEG_TEST_ENTRY} ${name} ${test_COMMAND})
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${test_TIMEOUT} COST ${test_TIMEOUT} PROCESSORS 3 LABELS "${test_LABELS}" SKIP_RETURN_CODE 77
    ENVIRONMENT "THALWEG_TEST_BUILD_DIR=${CMAKE_BINARY_DIR};THALWEG_TEST_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endfunction()

# thalweg_add_pytest(name FILES file… [LABELS …] [TIMEOUT s] [OPTIONS …]): the tests of Python files, which start mpiexec
# by themselves, with options of pytest; of long tests (label soak) with all combinations of settings (tests/support/ways.py).
function(thalweg_add_pytest name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "TIMEOUT" "FILES;LABELS;OPTIONS")
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 300)
  endif()
  thalweg_add_test(${name} TIMEOUT ${test_TIMEOUT} LABELS ${test_LABELS}
    COMMAND ${THALWEG_PYTHON} -m pytest -q -p no:cacheprovider --rootdir=${PROJECT_SOURCE_DIR} ${test_OPTIONS}
      ${test_FILES})
  if("soak" IN_LIST test_LABELS)
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT THALWEG_TEST_ALL=1)
  endif()
endfunction()

# thalweg_add_pytests(folder): every *_test.py of a folder of tests, named folder.stem and labelled with the folder. A
# first line "# ctest: LABELS soak TIMEOUT 1200" is added to the call. There, SERIAL is for tests that measure time, and
# want the machine for themselves; WAITS for those that mostly wait for something that stalls, was killed or has a
# deadline: more of them run at a time, beside those that compute; ALL 900 makes a second entry, folder.stem.all, of the
# long tests, with this time limit. SHORT is for those that take little longer than to start interpreters and load their
# libraries: they are one entry, folder.short, in one interpreter, and their runs in the same ranks where these stay
# (tests/support/standing.py). Their limits are added up, and a test that hangs is ended by pytest at the largest of them.
function(thalweg_add_pytests folder)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*_test.py)
  set(short)
  set(short_limit 0)
  set(short_longest 0)
  set(short_labels)
  foreach(file IN LISTS files)
    cmake_path(GET file STEM stem)
    string(REGEX REPLACE "_test$" "" stem ${stem})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} options LIMIT_COUNT 1 REGEX "^# ctest: ")
    string(REGEX REPLACE "^# ctest: *" "" options "${options}")
    separate_arguments(options)
    cmake_parse_arguments(own "SERIAL;SHORT;WAITS" "TIMEOUT;ALL" "LABELS" ${options})
    if(own_SHORT)
      list(APPEND short ${file})
      list(APPEND short_labels ${own_LABELS})
      math(EXPR short_limit "${short_limit} + ${own_TIMEOUT}")
      if(own_TIMEOUT GREATER short_longest)
        set(short_longest ${own_TIMEOUT})
      endif()
    else()
      thalweg_add_pytest(${folder}.${stem} FILES ${file} LABELS ${folder} ${own_LABELS} TIMEOUT ${own_TIMEOUT})
      set_tests_properties(${folder}.${stem} PROPERTIES RUN_SERIAL ${own_SERIAL})
      if(own_WAITS)
        thalweg_test_waits(${folder}.${stem})
      endif()
    endif()
    if(own_ALL)
      thalweg_add_pytest(${folder}.${stem}.all FILES ${file} LABELS ${folder} soak TIMEOUT ${own_ALL})
    endif()
  endforeach()
  if(short)
    list(REMOVE_DUPLICATES short_labels)
    thalweg_add_pytest(${folder}.short FILES ${short} LABELS ${folder} ${short_labels} TIMEOUT ${short_limit}
      OPTIONS --timeout=${short_longest})
  endif()
endfunction()

# thalweg_test_waits(name): it is one that waits, and takes its turn in one of two lanes.
function(thalweg_test_waits name)
  get_property(limit TEST ${name} PROPERTY TIMEOUT)
  get_property(lane GLOBAL PROPERTY THALWEG_LANE_OF_TESTS)
  math(EXPR cost "${limit} + 10000")
  math(EXPR other "1 - ${lane}")
  set_tests_properties(${name} PROPERTIES PROCESSORS 1 COST ${cost} RESOURCE_LOCK lane_${lane})
  set_property(GLOBAL PROPERTY THALWEG_LANE_OF_TESTS ${other})
endfunction()

# thalweg_add_sanitized_test(name preset what [LABELS …] TIMEOUT s): tools/sanitized.sh, whose build 'make test' has made before.
function(thalweg_add_sanitized_test name preset what)
  cmake_parse_arguments(PARSE_ARGV 3 test "" "TIMEOUT" "LABELS")
  thalweg_add_test(${name} TIMEOUT ${test_TIMEOUT} LABELS sanitizer ${test_LABELS}
    COMMAND ${PROJECT_SOURCE_DIR}/tools/sanitized.sh ${preset} ${what})
endfunction()

# thalweg_add_mpi_program(target source…): a program of C, C++ or Fortran that uses Thalweg, in <build>/bin.
function(thalweg_add_mpi_program target)
  add_executable(${target} ${ARGN})
  if("${ARGN}" MATCHES "\\.f90")
    target_link_libraries(${target} PRIVATE thalweg::fortran MPI::MPI_Fortran)
    set_target_properties(${target} PROPERTIES Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/modules/${target})
  else()
    target_link_libraries(${target} PRIVATE thalweg::thalweg)
  endif()
  if(THALWEG_SANITIZE MATCHES "address")
    target_link_libraries(${target} PRIVATE -Wl,--push-state,--no-as-needed stay_loaded -Wl,--pop-state)
  endif()
endfunction()

# thalweg_suite_filter(variable file…): the GoogleTest filter that selects the suites of these sources.
function(thalweg_suite_filter variable)
  set(patterns)
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines REGEX "^ *(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\\(")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^ *[A-Z_]+\\( *([A-Za-z0-9_]+).*" "\\1" suite "${line}")
      list(APPEND patterns "${suite}.*" "*/${suite}.*" "${suite}/*" "*/${suite}/*")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES patterns)
  list(JOIN patterns ":" filter)
  set(${variable} "${filter}" PARENT_SCOPE)
endfunction()
