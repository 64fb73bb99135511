// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test dialects and test passes of mlir-opt. Upstream declares their registration functions in
// no header, but keeps them in archives that an installation may or may not have.
#include "compiler/bridge/passes/registry.h"

#include <mlir/IR/DialectRegistry.h>

// Not here, because they are translations and no passes: registerTestFromLLVMIR and
// registerTestToLLVMIR.
#define ASSAY_TEST_DIALECTS(each)                                                                  \
  each(registerIrdlTestDialect)                                                                    \
  each(registerTestDialect)                                                                        \
  each(registerTestDynDialect)                                                                     \
  each(registerTestTilingInterfaceTransformDialectExtension)                                       \
  each(registerTestTransformDialectExtension)                                                      \
  each(registerTestTransformsTransformDialectExtension)

#define ASSAY_MLIR_PASSES(each)                                                                    \
  each(registerCloneTestPasses)                                                                    \
  each(registerConvertToTargetEnvPass)                                                             \
  each(registerLazyLoadingTestPasses)                                                              \
  each(registerLoopLikeInterfaceTestPasses)                                                        \
  each(registerPassManagerTestPass)                                                                \
  each(registerPrintSpirvAvailabilityPass)                                                         \
  each(registerPrintTosaAvailabilityPass)                                                          \
  each(registerRegionTestPasses)                                                                   \
  each(registerShapeFunctionTestPasses)                                                            \
  each(registerSideEffectTestPasses)                                                               \
  each(registerSliceAnalysisTestPass)                                                              \
  each(registerSymbolTestPasses)                                                                   \
  each(registerTestAffineAccessAnalysisPass)                                                       \
  each(registerTestAffineDataCopyPass)                                                             \
  each(registerTestAffineLoopUnswitchingPass)                                                      \
  each(registerTestAffineReifyValueBoundsPass)                                                     \
  each(registerTestAffineWalk)                                                                     \
  each(registerTestBytecodeRoundtripPasses)                                                        \
  each(registerTestDecomposeAffineOpPass)                                                          \
  each(registerTestFunc)                                                                           \
  each(registerTestGpuLoweringPasses)                                                              \
  each(registerTestGpuMemoryPromotionPass)                                                         \
  each(registerTestLoopPermutationPass)                                                            \
  each(registerTestMatchers)                                                                       \
  each(registerTestOperationEqualPass)                                                             \
  each(registerTestPreserveUseListOrders)                                                          \
  each(registerTestPrintDefUsePass)                                                                \
  each(registerTestPrintInvalidPass)                                                               \
  each(registerTestPrintNestingPass)                                                               \
  each(registerTestReducer)                                                                        \
  each(registerTestSpirvEntryPointABIPass)                                                         \
  each(registerTestSpirvModuleCombinerPass)                                                        \
  each(registerTestTraitsPass)                                                                     \
  each(registerTosaTestQuantUtilAPIPass)                                                           \
  each(registerVectorizerTestPass)

#define ASSAY_TEST_PASSES(each)                                                                    \
  each(registerCommutativityUtils)                                                                 \
  each(registerConvertCallOpPass)                                                                  \
  each(registerConvertFuncOpPass)                                                                  \
  each(registerInliner)                                                                            \
  each(registerInlinerCallback)                                                                    \
  each(registerMemRefBoundCheck)                                                                   \
  each(registerPatternsTestPass)                                                                   \
  each(registerSimpleParametricTilingPass)                                                         \
  each(registerTestAffineLoopParametricTilingPass)                                                 \
  each(registerTestAliasAnalysisPass)                                                              \
  each(registerTestArithEmulateWideIntPass)                                                        \
  each(registerTestBuiltinAttributeInterfaces)                                                     \
  each(registerTestBuiltinDistinctAttributes)                                                      \
  each(registerTestCFGLoopInfoPass)                                                                \
  each(registerTestCallGraphPass)                                                                  \
  each(registerTestCfAssertPass)                                                                   \
  each(registerTestComposeSubView)                                                                 \
  each(registerTestCompositePass)                                                                  \
  each(registerTestControlFlowSink)                                                                \
  each(registerTestConvertToSPIRVPass)                                                             \
  each(registerTestDataLayoutPropagation)                                                          \
  each(registerTestDataLayoutQuery)                                                                \
  each(registerTestDeadCodeAnalysisPass)                                                           \
  each(registerTestDecomposeCallGraphTypes)                                                        \
  each(registerTestDiagnosticsMetadataPass)                                                        \
  each(registerTestDiagnosticsPass)                                                                \
  each(registerTestDialectConversionPasses)                                                        \
  each(registerTestDominancePass)                                                                  \
  each(registerTestDynamicPipelinePass)                                                            \
  each(registerTestEmulateNarrowTypePass)                                                          \
  each(registerTestFooAnalysisPass)                                                                \
  each(registerTestGenericIRVisitorsPass)                                                          \
  each(registerTestIRVisitorsPass)                                                                 \
  each(registerTestInterfaces)                                                                     \
  each(registerTestIrdlTestDialectConversionPass)                                                  \
  each(registerTestLLVMLegalizePatternsPass)                                                       \
  each(registerTestLastModifiedPass)                                                               \
  each(registerTestLinalgDecomposeOps)                                                             \
  each(registerTestLinalgDropUnitDims)                                                             \
  each(registerTestLinalgElementwiseFusion)                                                        \
  each(registerTestLinalgGreedyFusion)                                                             \
  each(registerTestLinalgRankReduceContractionOps)                                                 \
  each(registerTestLinalgTransforms)                                                               \
  each(registerTestLivenessAnalysisPass)                                                           \
  each(registerTestLivenessPass)                                                                   \
  each(registerTestLoopFusion)                                                                     \
  each(registerTestLoopMappingPass)                                                                \
  each(registerTestLoopUnrollingPass)                                                              \
  each(registerTestLowerToArmSME)                                                                  \
  each(registerTestLowerToLLVM)                                                                    \
  each(registerTestMakeIsolatedFromAbovePass)                                                      \
  each(registerTestMatchReductionPass)                                                             \
  each(registerTestMathAlgebraicSimplificationPass)                                                \
  each(registerTestMathPolynomialApproximationPass)                                                \
  each(registerTestMathToVCIXPass)                                                                 \
  each(registerTestMemRefDependenceCheck)                                                          \
  each(registerTestMemRefStrideCalculation)                                                        \
  each(registerTestMemRefToLLVMWithTransforms)                                                     \
  each(registerTestMultiBuffering)                                                                 \
  each(registerTestNVGPULowerings)                                                                 \
  each(registerTestNextAccessPass)                                                                 \
  each(registerTestOneShotModuleBufferizePass)                                                     \
  each(registerTestOpLoweringPasses)                                                               \
  each(registerTestOpaqueLoc)                                                                      \
  each(registerTestOpenACC)                                                                        \
  each(registerTestOpenACCSupportPass)                                                             \
  each(registerTestPDLByteCodePass)                                                                \
  each(registerTestPDLLPasses)                                                                     \
  each(registerTestPadFusion)                                                                      \
  each(registerTestParallelLoopUnrollingPass)                                                      \
  each(registerTestPassStateExtensionCommunication)                                                \
  each(registerTestPointerLikeTypeInterfacePass)                                                   \
  each(registerTestRecipePopulatePass)                                                             \
  each(registerTestRecursiveTypesPass)                                                             \
  each(registerTestRemarkPass)                                                                     \
  each(registerTestReshardingPartitionPass)                                                        \
  each(registerTestSCFUpliftWhileToFor)                                                            \
  each(registerTestSCFUtilsPass)                                                                   \
  each(registerTestSCFWhileOpBuilderPass)                                                          \
  each(registerTestSCFWrapInZeroTripCheckPasses)                                                   \
  each(registerTestSPIRVCPURunnerPipeline)                                                         \
  each(registerTestSPIRVFuncSignatureConversion)                                                   \
  each(registerTestSPIRVVectorUnrolling)                                                           \
  each(registerTestShapeMappingPass)                                                               \
  each(registerTestShardSimplificationsPass)                                                       \
  each(registerTestSingleFold)                                                                     \
  each(registerTestSliceAnalysisPass)                                                              \
  each(registerTestStridedMetadataRangeAnalysisPass)                                               \
  each(registerTestTensorCopyInsertionPass)                                                        \
  each(registerTestTensorLikeAndBufferLikePass)                                                    \
  each(registerTestTensorTransforms)                                                               \
  each(registerTestTopologicalSortAnalysisPass)                                                    \
  each(registerTestTransformDialectEraseSchedulePass)                                              \
  each(registerTestVectorLowerings)                                                                \
  each(registerTestVectorReductionToSPIRVDotProd)                                                  \
  each(registerTestVulkanRunnerPipeline)                                                           \
  each(registerTestWrittenToPass)                                                                  \
  each(registerTestXeGPULowerings)

#define DECLARE(name) void name();
#define DECLARE_DIALECT(name) void name(mlir::DialectRegistry &);
#define CALL(name) name();
#define CALL_DIALECT(name) name(registry);

namespace test {
ASSAY_TEST_DIALECTS(DECLARE_DIALECT)
} // namespace test

namespace mlir {
ASSAY_MLIR_PASSES(DECLARE)
namespace test {
ASSAY_TEST_PASSES(DECLARE)
} // namespace test
} // namespace mlir

namespace {

void call_dialects(mlir::DialectRegistry &registry) {
  using namespace test;
  ASSAY_TEST_DIALECTS(CALL_DIALECT)
}

void call_passes() {
  using namespace mlir;
  using namespace mlir::test;
  ASSAY_MLIR_PASSES(CALL)
  ASSAY_TEST_PASSES(CALL)
}

} // namespace

void assay::register_test_dialects(mlir::DialectRegistry &registry) {
  call_dialects(registry);
}

void assay::register_test_passes() {
  call_passes();
}
