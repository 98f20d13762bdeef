# What linkers are told, in their own words: GNU's, and those that take its options, or macOS's.

# To leave out what nothing calls.
set(sb_drop_unused -Wl,--gc-sections)
if(APPLE)
  set(sb_drop_unused -Wl,-dead_strip)
  # Modules are libraries: dlopen takes both, and the linker of scripts/cross writes no bundles.
  string(REPLACE -bundle -dynamiclib CMAKE_SHARED_MODULE_CREATE_C_FLAGS "${CMAKE_SHARED_MODULE_CREATE_C_FLAGS}")
endif()

# sb_ask_for(RESULT NAMES...): options by which the linker takes symbols out of archives though nothing asks for them.
function(sb_ask_for result)
  set(prefix "-Wl,-u,")
  if(APPLE)
    string(APPEND prefix _)
  endif()
  list(TRANSFORM ARGN PREPEND ${prefix})
  set(${result} ${ARGN} PARENT_SCOPE)
endfunction()

# sb_export(TARGET PATTERN): of what is visible, only these symbols are exported. macOS needs no word for it: the archives
# that are linked have nothing visible there, or belong to the system.
function(sb_export target pattern)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE" AND NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--export-dynamic-symbol=${pattern})
  elseif(NOT APPLE)
    set(script ${PROJECT_BINARY_DIR}/exports-${target}.map)
    file(CONFIGURE OUTPUT ${script} CONTENT "{ global: ${pattern}; local: *; };\n")
    target_link_options(${target} PRIVATE -Wl,--version-script=${script})
  endif()
endfunction()
