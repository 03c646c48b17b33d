# drawloom_room(<name> SOURCES <file>... [ROOMS <room>...] [DEPENDS <target>...])
# One room of the line as a static library `Drawloom<name>`. ROOMS lists the
# rooms it may include. Rooms are added in the order of the line, so that one
# that is not there yet is a later one: the direction rule is checked.
function(drawloom_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ROOMS;DEPENDS" ${ARGN})
  add_library(Drawloom${name} STATIC ${ARG_SOURCES})
  drawloom_compile(Drawloom${name})
  foreach(room IN LISTS ARG_ROOMS)
    if(NOT TARGET Drawloom${room})
      message(FATAL_ERROR "room ${name} may not include the later room ${room}")
    endif()
  endforeach()
  list(TRANSFORM ARG_ROOMS PREPEND Drawloom OUTPUT_VARIABLE rooms)
  target_link_libraries(Drawloom${name} PUBLIC ${rooms} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(Drawloom${name} ${ARG_DEPENDS})
  endif()
endfunction()

# Flags and the shared precompiled header of every target that includes MLIR.
function(drawloom_compile target)
  target_include_directories(${target} PUBLIC
    ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
  target_include_directories(${target} SYSTEM PUBLIC
    ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter
    -fPIC # executables too: they share the libraries' precompiled header
    ${DRAWLOOM_STABLE_PCH})
  target_precompile_headers(${target} REUSE_FROM DrawloomPrecompiled)
endfunction()

# drawloom_dialect(<td file without .td> <dialect> [ENUMS] [ATTRS] [TYPES])
# Generates <td>{Ops,Dialect,Enums,Attrs,Types}.{h,cpp}.inc beside the header;
# enums come from <td>Enums.td.
function(drawloom_dialect td dialect)
  cmake_parse_arguments(ARG "ENUMS;ATTRS;TYPES" "" "" ${ARGN})
  set(LLVM_TARGET_DEFINITIONS ${td}.td)
  mlir_tablegen(${td}Dialect.h.inc -gen-dialect-decls -dialect=${dialect})
  mlir_tablegen(${td}Dialect.cpp.inc -gen-dialect-defs -dialect=${dialect})
  mlir_tablegen(${td}Ops.h.inc -gen-op-decls)
  mlir_tablegen(${td}Ops.cpp.inc -gen-op-defs)
  if(ARG_ENUMS)
    # In a file of their own, so that another dialect can use the enums
    # without defining them again.
    set(LLVM_TARGET_DEFINITIONS ${td}Enums.td)
    mlir_tablegen(${td}Enums.h.inc -gen-enum-decls)
    mlir_tablegen(${td}Enums.cpp.inc -gen-enum-defs)
    set(LLVM_TARGET_DEFINITIONS ${td}.td)
  endif()
  if(ARG_ATTRS)
    mlir_tablegen(${td}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${dialect})
    mlir_tablegen(${td}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${dialect})
  endif()
  if(ARG_TYPES)
    mlir_tablegen(${td}Types.h.inc -gen-typedef-decls -typedefs-dialect=${dialect})
    mlir_tablegen(${td}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${dialect})
  endif()
  add_public_tablegen_target(Drawloom${td}Gen)
endfunction()
