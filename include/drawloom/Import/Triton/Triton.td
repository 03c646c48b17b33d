// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tt` dialect: Triton's operations as its compiler prints them, to be read only.

#ifndef DRAWLOOM_IMPORT_TRITON_TRITON_TD
#define DRAWLOOM_IMPORT_TRITON_TRITON_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::drawloom::tt";
  let summary = "Triton's tile language, as far as the import reads it";
  let description = [{
    Parses the text of Triton 3.5 to 3.9. Nothing past the import sees it:
    operations are either rewritten to the `tile` dialect or refused at the line
    of the kernel they came from. Enumerations stay keywords.
  }];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
  }];
}

class TT_Type<string name, string mnemonic_> : TypeDef<TT_Dialect, name> {
  let mnemonic = mnemonic_;
}
class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, traits>;

//===-- Types ---------------------------------------------------------------//

def TT_Ptr : TT_Type<"Pointer", "ptr"> {
  let summary = "a pointer to elements";
  let parameters = (ins "::mlir::Type":$pointee, DefaultValuedParameter<"int32_t", "1">:$space);
  let assemblyFormat = "`<` $pointee (`,` $space^)? `>`";
}
def TT_Desc : TT_Type<"Descriptor", "tensordesc"> {
  let summary = "a view of a strided array in blocks of one type";
  let parameters = (ins "::mlir::RankedTensorType":$block);
  let hasCustomAssemblyFormat = 1;
}

class TT_ElementIs<string test, string summary> : Type<
    CPred<"(" # test # ")(::mlir::getElementTypeOrSelf($_self))">, summary>;
def TT_Pointers : TT_ElementIs<"::llvm::isa<::drawloom::tt::PointerType>",
                               "pointer or tensor of pointers">;
def TT_Integers : TT_ElementIs<"[](::mlir::Type t) { return t.isIntOrIndex(); }",
                               "integer or tensor of integers">;
def TT_Bools : TT_ElementIs<"[](::mlir::Type t) { return t.isInteger(1); }",
                            "i1 or tensor of i1">;

//===-- Functions -----------------------------------------------------------//

def TT_FuncOp : TT_Op<"func", [IsolatedFromAbove, FunctionOpInterface]> {
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}
def TT_ReturnOp : TT_Op<"return", [Terminator]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}
def TT_CallOp : TT_Op<"call"> {
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$values);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $values `)` attr-dict `:` functional-type($values, $results)";
}

//===-- Indices -------------------------------------------------------------//

class TT_Launch<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins StrAttr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "custom<Keyword>($axis) attr-dict `:` type($result)";
}
def TT_GetProgramIdOp : TT_Launch<"get_program_id">;
def TT_GetNumProgramsOp : TT_Launch<"get_num_programs">;
def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs RankedTensorOf<[AnyInteger]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===-- Shapes --------------------------------------------------------------//

class TT_Reshaping<string mnemonic, dag operands = (ins AnyType:$source)> : TT_Op<mnemonic, [Pure]> {
  let arguments = operands;
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TT_SplatOp : TT_Reshaping<"splat">;
def TT_BroadcastOp : TT_Reshaping<"broadcast", (ins AnyStaticShapeTensor:$source)>;
def TT_ReshapeOp : TT_Reshaping<"reshape",
  (ins AnyStaticShapeTensor:$source, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout)> {
  let assemblyFormat = [{$source (`allow_reorder` $allow_reorder^)?
    (`efficient_layout` $efficient_layout^)? attr-dict `:` type($source) `->` type($result)}];
}
def TT_ExpandDimsOp : TT_Reshaping<"expand_dims",
  (ins AnyStaticShapeTensor:$source, I32Attr:$axis)>;
def TT_TransOp : TT_Reshaping<"trans",
  (ins AnyStaticShapeTensor:$source, DenseI32ArrayAttr:$order)>;
def TT_UnsplatOp : TT_Op<"unsplat", [Pure]> {
  let arguments = (ins AnyStaticShapeTensor:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}
def TT_SplitOp : TT_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins AnyStaticShapeTensor:$source);
  let results = (outs AnyStaticShapeTensor:$lhs, AnyStaticShapeTensor:$rhs);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($lhs)";
}
class TT_Joining<string mnemonic> : TT_Op<mnemonic, [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins AnyStaticShapeTensor:$lhs, AnyStaticShapeTensor:$rhs);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}
def TT_JoinOp : TT_Joining<"join">;
def TT_CatOp : TT_Joining<"cat">;

//===-- Memory --------------------------------------------------------------//

def TT_AddPtrOp : TT_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let arguments = (ins TT_Pointers:$ptr, TT_Integers:$offset);
  let results = (outs TT_Pointers:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasVerifier = 1;
}
def TT_LoadOp : TT_Op<"load"> {
  let arguments = (ins TT_Pointers:$ptr, Variadic<AnyType>:$masking);
  let results = (outs AnyType:$result);
  let extraClassDeclaration = [{
    /// The lanes to read, and what the others become; null when left out.
    ::mlir::Value getMask() { return getMasking().size() > 0 ? getMasking()[0] : ::mlir::Value(); }
    ::mlir::Value getOther() { return getMasking().size() > 1 ? getMasking()[1] : ::mlir::Value(); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def TT_StoreOp : TT_Op<"store"> {
  let arguments = (ins TT_Pointers:$ptr, AnyType:$value, Optional<TT_Bools>:$mask);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [SameVariadicOperandSize]> {
  let arguments = (ins TT_Ptr:$base, Variadic<AnyInteger>:$shape,
                       Variadic<AnyInteger>:$strides, OptionalAttr<AnyAttr>:$padding);
  let results = (outs TT_Desc:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:`
    type($base) `,` type($result) custom<DescriptorTypes>(ref(type($result)), type($shape), type($strides)) }];
  let hasVerifier = 1;
}
def TT_DescriptorLoadOp : TT_Op<"descriptor_load"> {
  let arguments = (ins TT_Desc:$desc, Variadic<I32>:$indices);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` attr-dict `:` qualified(type($desc)) `->` type($result) }];
  let hasVerifier = 1;
}
def TT_DescriptorStoreOp : TT_Op<"descriptor_store"> {
  let arguments = (ins TT_Desc:$desc, AnyStaticShapeTensor:$value, Variadic<I32>:$indices);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $value attr-dict `:` qualified(type($desc)) `,` type($value) }];
  let hasVerifier = 1;
}

class TT_Cast<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins AnyType:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}
def TT_IntToPtrOp : TT_Cast<"int_to_ptr">;
def TT_PtrToIntOp : TT_Cast<"ptr_to_int">;
def TT_BitcastOp : TT_Cast<"bitcast">;
def TT_FpToFpOp : TT_Op<"fp_to_fp", [Pure]> {
  let arguments = (ins AnyType:$source, OptionalAttr<AnyAttr>:$rounding);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $source (`,` `rounding` `=` custom<Keyword>($rounding)^)? attr-dict `:`
    type($source) `->` type($result) }];
}

//===-- Atomics -------------------------------------------------------------//

def TT_AtomicRMWOp : TT_Op<"atomic_rmw"> {
  let arguments = (ins StrAttr:$kind, StrAttr:$semantics, StrAttr:$scope, Variadic<AnyType>:$values);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<Keyword>($kind) `,` custom<Keyword>($semantics) `,` custom<Keyword>($scope) `,`
    $values attr-dict `:` functional-type($values, $result) }];
}
def TT_AtomicCASOp : TT_Op<"atomic_cas"> {
  let arguments = (ins StrAttr:$semantics, StrAttr:$scope, Variadic<AnyType>:$values);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<Keyword>($semantics) `,` custom<Keyword>($scope) `,`
    $values attr-dict `:` functional-type($values, $result) }];
}

//===-- Arithmetic ----------------------------------------------------------//

def TT_DotOp : TT_Op<"dot", [Pure, AllTypesMatch<["c", "result"]>]> {
  let arguments = (ins AnyStaticShapeTensor:$a, AnyStaticShapeTensor:$b, AnyStaticShapeTensor:$c,
                       OptionalAttr<AnyAttr>:$precision);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` custom<Keyword>($precision)^)? attr-dict `:`
    type($a) `*` type($b) `->` type($result) }];
  let hasVerifier = 1;
}
def TT_DotScaledOp : TT_Op<"dot_scaled", [AttrSizedOperandSegments]> {
  let arguments = (ins AnyType:$a, Optional<AnyType>:$a_scale, AnyType:$b,
                       Optional<AnyType>:$b_scale, AnyType:$c, StrAttr:$a_kind, StrAttr:$b_kind);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c
    `lhs` `=` custom<Keyword>($a_kind) `rhs` `=` custom<Keyword>($b_kind) attr-dict `:`
    type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->`
    type($result) custom<SameType>(ref(type($result)), type($c)) }];
}
def TT_MulhiUIOp : TT_Op<"mulhiui", [Pure, SameOperandsAndResultType]> {
  let arguments = (ins TT_Integers:$lhs, TT_Integers:$rhs);
  let results = (outs TT_Integers:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}
class TT_Precise<string mnemonic, dag operands, string format>
    : TT_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = operands;
  let results = (outs AnyType:$result);
  let assemblyFormat = format # " attr-dict `:` type($result)";
}
def TT_PreciseSqrtOp : TT_Precise<"precise_sqrt", (ins AnyType:$x), "$x">;
def TT_PreciseDivFOp : TT_Precise<"precise_divf", (ins AnyType:$x, AnyType:$y), "$x `,` $y">;
def TT_ClampFOp : TT_Op<"clampf", [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyType:$x, AnyType:$min, AnyType:$max, StrAttr:$nan);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` custom<Keyword>($nan) attr-dict `:` type($x) }];
}
def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [Pure]> {
  let arguments = (ins Variadic<AnyType>:$values, StrAttr:$libname, StrAttr:$libpath,
                       StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs AnyType:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
}
def TT_InlineAsmOp : TT_Op<"elementwise_inline_asm"> {
  let arguments = (ins StrAttr:$assembly, Variadic<AnyType>:$values);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $assembly attr-dict ($values^ `:` type($values))? `->` type($results) }];
}

//===-- Across lanes --------------------------------------------------------//

class TT_Across<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$sources, I32Attr:$axis);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$combine);
}
def TT_ReduceOp : TT_Across<"reduce"> { let hasVerifier = 1; }
def TT_ScanOp : TT_Across<"scan"> {
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$sources, I32Attr:$axis,
                       OptionalAttr<BoolAttr>:$reverse);
}
class TT_AcrossReturn<string mnemonic> : TT_Op<mnemonic, [Pure, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}
def TT_ReduceReturnOp : TT_AcrossReturn<"reduce.return">;
def TT_ScanReturnOp : TT_AcrossReturn<"scan.return">;
def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let arguments = (ins AnyStaticShapeTensor:$source, AnyStaticShapeTensor:$indices, I32Attr:$axis);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` functional-type(operands, results) }];
}
def TT_HistogramOp : TT_Op<"histogram", [Pure, OptionalTypesMatchWith<
    "the mask has the lanes of the source", "source", "mask",
    "::mlir::cast<::mlir::RankedTensorType>($_self).clone(::mlir::IntegerType::get($_ctxt, 1))">]> {
  let arguments = (ins 1DTensorOf<[I32]>:$source, Optional<1DTensorOf<[I1]>>:$mask);
  let results = (outs 1DTensorOf<[I32]>:$result);
  let assemblyFormat = [{
    $source (`,` $mask^)? attr-dict `:` type($source) `->` type($result) }];
}

//===-- Debugging -----------------------------------------------------------//

def TT_PrintOp : TT_Op<"print"> {
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, DenseI32ArrayAttr:$isSigned, Variadic<AnyType>:$values);
  let assemblyFormat = "$prefix attr-dict (`:` $values^ `:` type($values))?";
}
def TT_AssertOp : TT_Op<"assert"> {
  let arguments = (ins TT_Bools:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

#endif // DRAWLOOM_IMPORT_TRITON_TRITON_TD
