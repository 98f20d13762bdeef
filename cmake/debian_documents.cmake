# What Debian wants in every package, run between installation into a folder for each component and packing: copyright
# and changelogs under the package's own name, and manual pages compressed.
function(sb_compress)
  if(ARGN)
    execute_process(COMMAND gzip --best --no-name --force ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, if there is one
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
foreach(component program library development)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(share ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share)
  set(doc ${share}/doc/${package})
  file(MAKE_DIRECTORY ${doc})
  configure_file(${CPACK_SEEDBED_SOURCE}/LICENSE ${doc}/copyright COPYONLY)
  configure_file(${CPACK_SEEDBED_SOURCE}/CHANGELOG.md ${doc}/changelog COPYONLY)
  file(WRITE ${doc}/changelog.Debian "${package} (${version}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}; changelog.gz tells what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  file(REMOVE ${doc}/CHANGELOG.md) # there it is changelog.gz
  file(GLOB pages ${share}/man/man1/*.1)
  sb_compress(${pages} ${doc}/changelog ${doc}/changelog.Debian)
endforeach()
