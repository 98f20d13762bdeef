# For scripts/cross, which says by these what it builds for, and has put compilers and libraries there:
#   SEEDBED_CROSS         a target of its table, such as aarch64-linux-musl
#   SEEDBED_CROSS_FOLDER  bin/ has cc, ar and ranlib for it; prefix/ has the libraries
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SEEDBED_CROSS SEEDBED_CROSS_FOLDER)

string(REGEX MATCH "^([^-]+)-([^-]+)" both "${SEEDBED_CROSS}")
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
if(CMAKE_MATCH_2 STREQUAL "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()

set(CMAKE_C_COMPILER ${SEEDBED_CROSS_FOLDER}/bin/cc)
set(CMAKE_AR ${SEEDBED_CROSS_FOLDER}/bin/ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${SEEDBED_CROSS_FOLDER}/bin/ranlib CACHE FILEPATH "")

# Libraries and headers of this machine are for another system.
set(CMAKE_FIND_ROOT_PATH ${SEEDBED_CROSS_FOLDER}/prefix)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${SEEDBED_CROSS_FOLDER}/prefix/lib/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "")

# Debugging is for the system on which one builds.
set(CMAKE_EXE_LINKER_FLAGS_INIT -s)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -s)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -s)
