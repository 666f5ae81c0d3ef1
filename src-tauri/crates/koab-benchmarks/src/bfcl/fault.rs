//! Names that the authors' program gives to faults of a reply.

/// Name of the reason why a call is wrong.
pub(super) type Fault = &'static str;

pub(super) const WRONG_NAME: Fault = "simple_function_checker:wrong_func_name";
pub(super) const MISSING_REQUIRED: Fault = "simple_function_checker:missing_required";
pub(super) const UNEXPECTED: Fault = "simple_function_checker:unexpected_param";
pub(super) const MISSING_OPTIONAL: Fault = "simple_function_checker:missing_optional";
pub(super) const SIMPLE_COUNT: Fault = "simple_function_checker:wrong_count";
pub(super) const MULTIPLE_COUNT: Fault = "multiple_function_checker:wrong_count";
pub(super) const PARALLEL_COUNT: Fault = "parallel_function_checker_no_order:wrong_count";
pub(super) const NO_MATCH: Fault = "parallel_function_checker_no_order:cannot_find_match";
pub(super) const NOT_JAVA: Fault = "type_error:java";
pub(super) const NOT_JAVASCRIPT: Fault = "type_error:js";
pub(super) const TYPE: Fault = "type_error:simple";
pub(super) const NESTED_TYPE: Fault = "type_error:nested";
pub(super) const TEXT: Fault = "value_error:string";
pub(super) const LIST: Fault = "value_error:list/tuple";
pub(super) const DICT_KEY: Fault = "value_error:dict_key";
pub(super) const DICT_VALUE: Fault = "value_error:dict_value";
pub(super) const DICT_UNCLEAR: Fault = "dict_checker:unclear";
pub(super) const LIST_DICT_COUNT: Fault = "value_error:list_dict_count";
pub(super) const OTHER: Fault = "value_error:others";
pub(super) const NOT_READ: Fault = "ast_decoder:decoder_failed";
pub(super) const WRONG_FORMAT: Fault = "ast_decoder:decoder_wrong_output_format";
pub(super) const CALLED: Fault = "irrelevance_error:decoder_success";
pub(super) const NOT_CALLED: Fault = "relevance_error:decoder_failed";
