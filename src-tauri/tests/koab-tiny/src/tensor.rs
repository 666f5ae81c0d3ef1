//! One tensor of a model.

/// One tensor: name, shape (rows first, as `PyTorch` counts), and its numbers' mean and standard deviation.
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) shape: Vec<u64>,
    pub(crate) mean: f32,
    pub(crate) deviation: f32,
}

impl Tensor {
    pub(crate) fn count(&self) -> u64 {
        self.shape.iter().product()
    }

    /// A matrix that keeps the size of what it is given, times a gain.
    pub(crate) fn matrix(name: String, rows: u64, columns: u64, gain: f32) -> Self {
        let deviation = gain / (columns as f32).sqrt();
        Self { name, shape: vec![rows, columns], mean: 0.0, deviation }
    }

    pub(crate) fn bias(name: String, rows: u64, deviation: f32) -> Self {
        Self { name, shape: vec![rows], mean: 0.0, deviation }
    }

    pub(crate) fn norm(name: String, width: u64, mean: f32) -> Self {
        Self { name, shape: vec![width], mean, deviation: 0.2 }
    }
}
