# The library for people who write bots and learners: everything up to rollouts, nothing but SB_API visible.
list(FIND layers exporters end)
list(SUBLIST layers 0 ${end} library_layers)
list(TRANSFORM library_layers REPLACE "(.+)" "$<TARGET_OBJECTS:sb_\\1>" OUTPUT_VARIABLE library_objects)
add_library(libseedbed SHARED ${library_objects})
set(abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(libseedbed PROPERTIES OUTPUT_NAME seedbed LINKER_LANGUAGE C VERSION ${PROJECT_VERSION}
                      SOVERSION ${abi} EXPORT_NAME seedbed
                      # macOS notes the name in whatever is linked with it; no tool changes that when it is installed.
                      INSTALL_NAME_DIR @rpath BUILD_WITH_INSTALL_NAME_DIR ON)
foreach(layer sb_engine sb_generators)
  get_target_property(linked ${layer} INTERFACE_LINK_LIBRARIES)
  list(FILTER linked INCLUDE REGEX ^sb_shipped_)
  list(APPEND shipped ${linked})
endforeach()
target_link_libraries(libseedbed PRIVATE ${shipped} PkgConfig::sodium PkgConfig::cjson ZLIB::ZLIB Threads::Threads m)
target_include_directories(libseedbed INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

install(TARGETS libseedbed EXPORT seedbed
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT seedbed NAMESPACE seedbed:: FILE seedbed-config.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/seedbed COMPONENT development)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/seedbed-config-version.cmake COMPATIBILITY SameMinorVersion)
# The prefix is said relative to the file, so that an installed tree may be moved.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/seedbed.pc.in seedbed.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/seedbed-config-version.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/seedbed
        COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/seedbed.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
