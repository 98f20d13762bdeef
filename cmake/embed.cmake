# sb_embed(TARGET NAME FILE): a library with the bytes of FILE as sb_shipped_NAME and their number as
# sb_shipped_NAME_size, linked to TARGET. C has no way to say it. A NUL follows them, so that a text is a string.
function(sb_embed target name file)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  set(source ${PROJECT_BINARY_DIR}/shipped/${name}.c)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "#include <stddef.h>
extern const unsigned char sb_shipped_${name}[];
extern const size_t sb_shipped_${name}_size;
const unsigned char sb_shipped_${name}[] = {
${bytes}0};
const size_t sb_shipped_${name}_size = sizeof sb_shipped_${name} - 1;
")
  add_library(sb_shipped_${name} STATIC ${source})
  target_link_libraries(${target} PUBLIC sb_shipped_${name})
endfunction()
