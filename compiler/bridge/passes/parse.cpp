// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words as on mlir-opt's command line to a pass manager.
#include "compiler/bridge/passes/capture.h"
#include "compiler/bridge/pipeline.h"

#include <llvm/ADT/StringExtras.h>
#include <mlir/CAPI/IR.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/Pass/Pass.h>
#include <mlir/Pass/PassRegistry.h>
#include <sys/wait.h>
#include <unistd.h>

using Nesting = mlir::OpPassManager::Nesting;

namespace {

struct Attempt {
  mlir::OpPassManager manager{"builtin.module", Nesting::Implicit};
  std::string message; // why it failed
};

// One line of what MLIR says over several.
std::string join_lines(llvm::StringRef text) {
  std::string joined;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    line = line.trim();
    if (line.empty() || line == "^" || line.trim('^').empty())
      continue;
    joined += (joined.empty() ? "" : "; ") + line.str();
  }
  return joined;
}

const mlir::PassRegistryEntry *find_entry(llvm::StringRef name) {
  if (const auto *pipeline = mlir::PassPipelineInfo::lookup(name))
    return pipeline;
  return mlir::PassInfo::lookup(name);
}

std::string unknown(llvm::StringRef name, const char *what) {
  std::string message = "unknown " + std::string(what) + " '" + name.str() + "'";
  if (const char *nearest = assay_pass_nearest(name.str().c_str()))
    message += "; did you mean '" + std::string(nearest) + "'?";
  return message;
}

bool parse_text(llvm::StringRef text, Attempt &attempt) {
  std::string said;
  llvm::raw_string_ostream stream(said);
  assay::Capture capture(STDERR_FILENO);
  mlir::FailureOr<mlir::OpPassManager> parsed = mlir::parsePassPipeline(text.trim(), stream);
  if (succeeded(parsed)) {
    attempt.manager = std::move(*parsed);
    return true;
  }
  said += capture.take();
  llvm::StringRef name = llvm::StringRef(said).split("error: '").second.split('\'').first;
  if (said.find("does not refer to a registered pass") != std::string::npos)
    attempt.message = "--pass-pipeline: " + unknown(name, "pass");
  else
    attempt.message = "--pass-pipeline: " + join_lines(said);
  return false;
}

bool add_flag(llvm::StringRef flag, Attempt &attempt) {
  llvm::StringRef name = flag.take_until([](char c) { return c == '=' || c == '{'; });
  llvm::StringRef options = flag.drop_front(name.size());
  if (options.consume_front("{"))
    options.consume_back("}");
  else
    options.consume_front("=");
  const mlir::PassRegistryEntry *entry = find_entry(name);
  if (entry == nullptr) {
    attempt.message = unknown(name, "pass or option");
    return false;
  }
  std::string said;
  assay::Capture capture(STDERR_FILENO);
  mlir::LogicalResult added =
      entry->addToPipeline(attempt.manager, options, [&](const llvm::Twine &text) {
        said += text.str() + "\n";
        return mlir::failure();
      });
  if (succeeded(added))
    return true;
  said = join_lines(said + capture.take());
  attempt.message = "--" + name.str() + ": " +
                    (said.empty() ? "does not take the options '" + options.str() + "'" : said);
  return false;
}

bool parse_words(llvm::ArrayRef<const char *> words, Attempt &attempt) {
  bool text_given = false, flag_given = false;
  for (size_t i = 0; i < words.size(); i++) {
    llvm::StringRef word = words[i];
    if (!word.consume_front("-")) {
      attempt.message = "expected a pass as a flag, found '" + word.str() + "'";
      return false;
    }
    word.consume_front("-");
    if (word != "pass-pipeline" && !word.starts_with("pass-pipeline=")) {
      flag_given = true;
      if (!text_given && !add_flag(word, attempt))
        return false;
    } else if (text_given) {
      attempt.message = "--pass-pipeline is given twice";
      return false;
    } else if (!word.consume_front("pass-pipeline=") && i + 1 == words.size()) {
      attempt.message = "--pass-pipeline needs a value";
      return false;
    } else {
      text_given = true;
      if (!flag_given && !parse_text(word == "pass-pipeline" ? words[++i] : word, attempt))
        return false;
    }
  }
  if (text_given && flag_given)
    attempt.message = "--pass-pipeline and passes as single flags exclude each other";
  return !(text_given && flag_given);
}

// Whether a registered pipeline is named: its builder may end the process where it is nested in
// something that it was not written for.
bool names_pipeline(llvm::ArrayRef<const char *> words) {
  for (llvm::StringRef word : words)
    while (!word.empty()) {
      auto in_name = [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; };
      word = word.drop_until(in_name);
      llvm::StringRef name = word.take_while(in_name);
      word = word.drop_front(name.size());
      if (mlir::PassPipelineInfo::lookup(name.ltrim('-')) != nullptr)
        return true;
    }
  return false;
}

// Tries it in a child; false with a message where that dies.
bool survives(llvm::ArrayRef<const char *> words, std::string &message) {
  assay::Capture capture(STDERR_FILENO);
  pid_t child = fork();
  if (child == 0) {
    Attempt attempt;
    (void)parse_words(words, attempt);
    _exit(0);
  }
  int status = 0;
  if (child > 0)
    waitpid(child, &status, 0);
  std::string said = capture.take();
  if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
    return true;
  message = "the pipeline cannot be built: " +
            join_lines(llvm::StringRef(said).split("PLEASE submit").first);
  return false;
}

// Lets MLIR schedule and initialize the passes on an empty module, none of which then runs: passes
// on interfaces find out only here that they cannot stand where they are.
bool schedule(mlir::MLIRContext *context, Attempt &attempt) {
  if (attempt.manager.getOpAnchorName() != "builtin.module")
    return true;
  mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && attempt.message.empty())
      attempt.message = diagnostic.str();
    return mlir::success();
  });
  mlir::PassManager manager(context, "builtin.module", Nesting::Implicit);
  static_cast<mlir::OpPassManager &>(manager) = attempt.manager;
  manager.enableVerifier(false);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
  context->registerActionHandler([](llvm::function_ref<void()>, const mlir::tracing::Action &) {});
  mlir::LogicalResult ran = manager.run(*module);
  context->registerActionHandler(nullptr);
  if (failed(ran) && attempt.message.empty())
    attempt.message = "the pipeline cannot be scheduled";
  return succeeded(ran);
}

} // namespace

assay_code assay_pass_pipeline_parse(MlirContext context, int count, const char *const words[],
                                     assay_pass_pipeline **out_pipeline, assay_error *err) {
  llvm::ArrayRef<const char *> list(words, static_cast<size_t>(count));
  Attempt attempt;
  if (names_pipeline(list) && !survives(list, attempt.message))
    return assay_fail(err, ASSAY_INVALID, "%s", attempt.message.c_str());
  if (!parse_words(list, attempt) || !schedule(unwrap(context), attempt))
    return assay_fail(err, ASSAY_INVALID, "%s", attempt.message.c_str());
  *out_pipeline = new assay_pass_pipeline{std::move(attempt.manager)};
  return ASSAY_OK;
}

void assay_pass_pipeline_destroy(assay_pass_pipeline *pipeline) {
  delete pipeline;
}

const char *assay_pass_pipeline_text(const assay_pass_pipeline *pipeline, assay_arena *arena) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  pipeline->manager.printAsTextualPipeline(stream);
  return assay_arena_bytes(arena, text.data(), text.size());
}
