use super::*;

#[test]
fn a_quantization_goes_before_the_numbers_of_weights() {
    for (quantization, dtype, precision) in [
        (None, Dtype::Auto, None),
        (None, Dtype::Float16, Some("float16")),
        (None, Dtype::Bfloat16, Some("bfloat16")),
        (None, Dtype::Float32, Some("float32")),
        (Some(Quantization::FourBit), Dtype::Auto, Some("4bit")),
        (Some(Quantization::FourBit), Dtype::Float32, Some("4bit")),
        (Some(Quantization::EightBit), Dtype::Bfloat16, Some("8bit")),
    ] {
        let settings = LocalSettings { quantization, dtype, ..LocalSettings::default() };
        assert_eq!(settings.precision(), precision);
    }
}

#[test]
fn settings_are_read_as_runs_have_written_them() {
    let text = r#"{"quantization":"4bit","dtype":"bfloat16","device":"cuda","context":8192,"tool_form":"hermes","constrained":true,"threads":3}"#;
    let read: LocalSettings = serde_json::from_str(text).expect("read");
    assert_eq!(read.quantization, Some(Quantization::FourBit));
    assert_eq!((read.dtype, read.device), (Dtype::Bfloat16, ComputeDevice::Cuda));
    assert_eq!(
        (read.context, read.tool_form.as_deref(), read.constrained, read.threads),
        (Some(8_192), Some("hermes"), true, Some(3))
    );
    let written = serde_json::to_value(&read).expect("written");
    assert_eq!(written, serde_json::from_str::<serde_json::Value>(text).expect("JSON"));
    // What an earlier version did not know is as it was published.
    let none: LocalSettings = serde_json::from_str("{}").expect("read");
    assert_eq!(none, LocalSettings::default());
    assert!(serde_json::from_str::<LocalSettings>(r#"{"quantization":"2bit"}"#).is_err());
}
