# C has no way to put a file into a program, so sources are written here. A NUL follows the bytes of a file, so that a
# text is a string.

# Sets RESULT to C source text that defines NAME and NAME_size, with the bytes of the file at PATH.
function(sb_embedded result name path)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  set(${result} "
extern const unsigned char ${name}[];
extern const size_t ${name}_size;
const unsigned char ${name}[] = {
${bytes}0};
const size_t ${name}_size = sizeof ${name} - 1;
" PARENT_SCOPE)
endfunction()

# Writes the source text to a file and links it to TARGET as a library of its own.
function(sb_link_embedded target name text)
  set(source ${PROJECT_BINARY_DIR}/shipped/${name}.c)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "#include <stddef.h>\n${text}")
  add_library(sb_shipped_${name} STATIC ${source})
  target_link_libraries(${target} PUBLIC sb_shipped_${name})
endfunction()

# sb_embed(TARGET NAME FILE): the bytes of FILE as sb_shipped_NAME and their number as sb_shipped_NAME_size.
function(sb_embed target name file)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  sb_embedded(text sb_shipped_${name} ${path})
  sb_link_embedded(${target} ${name} "${text}")
endfunction()

# sb_embed_texts(TARGET NAME FILES...): the bytes of each FILE as sb_shipped_NAME_FILE, where FILE has neither folder nor
# ending.
function(sb_embed_texts target name)
  set(all "")
  foreach(path ${ARGN})
    get_filename_component(file ${path} NAME_WE)
    sb_embedded(text sb_shipped_${name}_${file} ${path})
    string(APPEND all "${text}")
  endforeach()
  sb_link_embedded(${target} ${name} "${all}")
endfunction()

# sb_embed_programs(TARGET NAME FILES...): the bytes of each FILE as sb_shipped_NAME_FILE, where FILE has neither folder
# nor ending, and the first 12 digits of its SHA-256 as the text sb_shipped_NAME_FILE_hash.
function(sb_embed_programs target name)
  set(all "")
  foreach(path ${ARGN})
    get_filename_component(file ${path} NAME_WE)
    set(symbol sb_shipped_${name}_${file})
    file(SHA256 ${path} hash)
    string(SUBSTRING ${hash} 0 12 hash)
    sb_embedded(text ${symbol} ${path})
    string(APPEND all "${text}extern const char ${symbol}_hash[];\nconst char ${symbol}_hash[] = \"${hash}\";\n")
  endforeach()
  sb_link_embedded(${target} ${name} "${all}")
endfunction()

# sb_join_modules(SCRIPT FILES...): makes a script of modules in JavaScript, in this order. Their names are in one room, so they
# need neither import nor export; a worker's own address stands for that of a module.
function(sb_join_modules script)
  set(all "\"use strict\";\n")
  foreach(path ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} text)
    string(REGEX REPLACE "\nimport [^\n]*" "" text "\n${text}")
    string(REPLACE "\nexport " "\n" text "${text}")
    string(REPLACE "import.meta.url" "location.href" text "${text}")
    string(APPEND all "${text}")
  endforeach()
  file(CONFIGURE OUTPUT ${script} @ONLY NEWLINE_STYLE UNIX CONTENT "@all@")
endfunction()

# sb_digest(RESULT FILES...): twelve digits of the SHA-256 of all these files.
function(sb_digest result)
  set(all "")
  foreach(path ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(SHA256 ${path} hash)
    string(APPEND all ${hash})
  endforeach()
  string(SHA256 all "${all}")
  string(SUBSTRING ${all} 0 12 all)
  set(${result} ${all} PARENT_SCOPE)
endfunction()

# sb_join(RESULT INDENT FILES...): the items of a list in JSON, one in each FILE, by the names of the files without folders.
function(sb_join result indent)
  set(joined "")
  list(TRANSFORM ARGN REPLACE "^(.*)/([^/]*)$" "\\2|\\1/\\2")
  list(SORT ARGN)
  foreach(file ${ARGN})
    string(REGEX REPLACE "^.*[|]" "" path ${file})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} item)
    string(STRIP "${item}" item)
    string(REPLACE "\n" "\n${indent}" item "${item}")
    string(APPEND joined ",\n${indent}${item}")
  endforeach()
  string(SUBSTRING "${joined}" 2 -1 joined)
  set(${result} "${joined}" PARENT_SCOPE)
endfunction()
