# Looks for the Python that the package is built for, and nanobind in it: .venv, or the Python that runs pip. Sets the
# option THALWEG_BUILD_PYTHON.
if(NOT DEFINED Python_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/.venv/bin/python)
  set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/.venv/bin/python)
endif()
find_package(Python 3.11 COMPONENTS Interpreter Development.Module QUIET)
if(Python_FOUND)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  find_package(nanobind CONFIG QUIET)
endif()

# What sanitizers have instrumented is loaded by an interpreter that has loaded theirs before (tools/sanitized.sh).
set(default OFF)
if(PROJECT_IS_TOP_LEVEL AND nanobind_FOUND)
  set(default ON)
endif()
option(THALWEG_BUILD_PYTHON "Build the Python package" ${default})
if(THALWEG_BUILD_PYTHON AND NOT nanobind_FOUND)
  message(FATAL_ERROR "The Python package needs Python 3.11 with its headers, and nanobind (pip install nanobind).")
endif()
