# The library as one file of WebAssembly, and the package around it (scripts/wasm). web/package/seedbed.js gives the module
# the few functions that it imports.
set(CMAKE_C_FLAGS_RELEASE "-O2")

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.c)
# From which sources the module is, for programs that put it into a page.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/web_sources.c @ONLY
     CONTENT "extern const char sb_web_sources[];\n__attribute__((used, visibility(\"default\"))) const char sb_web_sources[] = @web_sources@;\n")
add_executable(seedbed_module ${sources} ${CMAKE_BINARY_DIR}/web_sources.c)
target_link_libraries(seedbed_module PRIVATE sb_rollout)
set_target_properties(seedbed_module PROPERTIES OUTPUT_NAME seedbed SUFFIX .wasm)
# A list of families is asked for by name: it stands above the layers that look into it. Memory is 1 MiB of stack and what
# else is needed, up to 1 GiB for oracles that search.
set(options -Wl,--undefined=sb_families -sSTANDALONE_WASM -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0 -sTOTAL_STACK=1MB -sALLOW_MEMORY_GROWTH
            -sINITIAL_MEMORY=8MB -sMAXIMUM_MEMORY=1GB)
target_link_options(seedbed_module PRIVATE --no-entry ${options})

set(package ${CMAKE_BINARY_DIR}/package)
configure_file(web/package/package.json.in ${package}/package.json @ONLY)
list(TRANSFORM module_licenses PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE licenses)
file(MAKE_DIRECTORY ${package}/licenses)
add_custom_target(seedbed_package
                  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/web/package/seedbed.js ${PROJECT_SOURCE_DIR}/web/package/seedbed.d.ts
                          ${PROJECT_SOURCE_DIR}/web/package/example.js ${PROJECT_SOURCE_DIR}/web/package/README.md
                          ${PROJECT_SOURCE_DIR}/LICENSE $<TARGET_FILE:seedbed_module> ${package}
                  COMMAND ${CMAKE_COMMAND} -E copy ${licenses} ${package}/licenses
                  DEPENDS seedbed_module VERBATIM)

# What tests/web_test.py compares with the same program for this machine.
add_executable(seedbed_speed EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/web/speed.c)
target_link_libraries(seedbed_speed PRIVATE sb_rollout)
set_target_properties(seedbed_speed PROPERTIES OUTPUT_NAME seedbed-web-speed SUFFIX .wasm)
target_link_options(seedbed_speed PRIVATE ${options})
