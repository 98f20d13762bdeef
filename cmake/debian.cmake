# Debian packages, by `cmake --workflow --preset package`: the program, the library, and what bots are built with. What
# they depend on is what their binaries are linked with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${SEEDBED_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(debian_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

# sb_debian_package(COMPONENT NAME SECTION DESCRIPTION): the first line of the description is the synopsis.
macro(sb_debian_package component name section description)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${description}")
endmacro()

set(about "Seedbed makes the episodes of the Agentick and BabyAI benchmarks from seeds,
bit for bit as they were published, and plays them with oracle policies.")
sb_debian_package(program seedbed science "gridworld episodes from seeds, oracles, datasets and scores
${about}
The command builds datasets of solved episodes for fine-tuning and behaviour
cloning, derives seed packs, evaluates agents, and lets people play.")
sb_debian_package(library libseedbed${abi} libs "gridworld episodes from seeds (shared library)
${about}
This library makes, steps and observes episodes, and answers what bots ask:
where things are, and how to get there.")
sb_debian_package(development libseedbed-dev libdevel "gridworld episodes from seeds (development files)
${about}
Header, pkg-config and CMake files of the library, for people who write bots
in C, and example bots.")
# CPack puts any other summary in front of these descriptions.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_NAME} built using CMake")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "libseedbed-dev (= ${debian_version})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libseedbed${abi} (= ${debian_version})")

# Who is linked with the library needs this version of it or a later one of the same ABI; and installing it, or removing
# it, has the linker's cache made anew.
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs "libseedbed ${abi} libseedbed${abi} (>= ${PROJECT_VERSION})\n")
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/shlibs ${PROJECT_BINARY_DIR}/debian/triggers)

set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_documents.cmake)
set(CPACK_SEEDBED_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_SEEDBED_LIBRARY libseedbed${abi})
include(CPack)
