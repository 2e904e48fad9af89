# The installed package: CMake targets thalweg::thalweg and thalweg::fortran, and pkg-config files; and the same for the
# stub, thalweg::stub and thalweg::stub_fortran, which may be all there is.
include(CMakePackageConfigHelpers)
set(THALWEG_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/thalweg)

# Module files are readable by the compiler that wrote them alone: others compile the source that is installed as well.
string(REGEX MATCH "^[0-9]+" compiler_major "${CMAKE_Fortran_COMPILER_VERSION}")
set(THALWEG_MODULE_DIR ${CMAKE_INSTALL_LIBDIR}/thalweg/modules/${CMAKE_Fortran_COMPILER_ID}-${compiler_major})
set(THALWEG_FORTRAN_SOURCE_DIR ${CMAKE_INSTALL_DATADIR}/thalweg/fortran)

set(THALWEG_LIBRARIES thalweg_stub)
if(TARGET thalweg_fortran)
  target_include_directories(thalweg_fortran INTERFACE $<INSTALL_INTERFACE:${THALWEG_MODULE_DIR}>)
  set_target_properties(thalweg_fortran PROPERTIES EXPORT_NAME fortran_interface)
  list(APPEND THALWEG_LIBRARIES thalweg_fortran thalweg_for_stub_fortran)
  foreach(module thalweg thalweg_attributes thalweg_contents thalweg_fields thalweg_inputs thalweg_sessions thalweg_values thalweg_nf90)
    install(FILES ${CMAKE_Fortran_MODULE_DIRECTORY}/${module}.mod DESTINATION ${THALWEG_MODULE_DIR})
  endforeach()
endif()
set(PC_CORES thalweg-stub)
if(TARGET thalweg)
  list(APPEND THALWEG_LIBRARIES thalweg thalweg_for_fortran)
  list(APPEND PC_CORES thalweg)
endif()
install(TARGETS ${THALWEG_LIBRARIES} EXPORT thalweg
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY fortran/ DESTINATION ${THALWEG_FORTRAN_SOURCE_DIR}
  FILES_MATCHING PATTERN "*.f90" PATTERN "*.c" PATTERN "*.h")

install(EXPORT thalweg NAMESPACE thalweg:: FILE thalwegTargets.cmake DESTINATION ${THALWEG_CMAKE_DIR})
configure_package_config_file(cmake/thalwegConfig.cmake.in ${CMAKE_BINARY_DIR}/thalwegConfig.cmake
  INSTALL_DESTINATION ${THALWEG_CMAKE_DIR} PATH_VARS THALWEG_FORTRAN_SOURCE_DIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/thalwegConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/thalwegConfig.cmake ${CMAKE_BINARY_DIR}/thalwegConfigVersion.cmake
  DESTINATION ${THALWEG_CMAKE_DIR})

set(PC_WHAT_thalweg "Parallel, asynchronous output of Earth-system models")
set(PC_WHAT_thalweg-stub "The interface of Thalweg, which writes nothing")

# A program that is linked with what these files say finds the library by itself, wherever it is.
function(thalweg_pkg_config folder)
  foreach(PC_CORE IN LISTS PC_CORES)
    set(PC_WHAT "${PC_WHAT_${PC_CORE}}")
    configure_file(cmake/thalweg.pc.in ${folder}/${PC_CORE}.pc @ONLY)
    if(TARGET thalweg_fortran)
      configure_file(cmake/thalweg-fortran.pc.in ${folder}/${PC_CORE}-fortran.pc @ONLY)
    endif()
  endforeach()
endfunction()

# What was built, where it is: PKG_CONFIG_PATH=build/release/lib/pkgconfig.
set(PC_PREFIX ${CMAKE_BINARY_DIR})
set(PC_INCLUDE ${PROJECT_SOURCE_DIR}/include)
set(PC_LIBRARY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(PC_MODULES ${CMAKE_Fortran_MODULE_DIRECTORY})
set(PC_SOURCES ${PROJECT_SOURCE_DIR}/fortran)
thalweg_pkg_config(${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/pkgconfig)

# The prefix is found from the file's own place, so that an installed tree can be moved.
file(RELATIVE_PATH PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(PC_PREFIX "\${pcfiledir}/${PC_PREFIX}")
set(PC_INCLUDE "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
set(PC_LIBRARY "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(PC_MODULES "\${prefix}/${THALWEG_MODULE_DIR}")
set(PC_SOURCES "\${prefix}/${THALWEG_FORTRAN_SOURCE_DIR}")
thalweg_pkg_config(${CMAKE_BINARY_DIR}/installed)
install(DIRECTORY ${CMAKE_BINARY_DIR}/installed/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
