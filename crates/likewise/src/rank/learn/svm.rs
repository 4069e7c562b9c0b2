//! Support vector machines as in LIBSVM: C-SVC for labels, ε-SVR for ratings, linear or RBF kernel.
//!
//! Source: Chang & Lin, "LIBSVM: a library for support vector machines" (ACM TIST 2, 2011). `libsvm-rs` solves the optimisation
//! problem with LIBSVM's own algorithm; prediction is ours, over dense arrays. `checks/libsvm_agreement.py` holds both to LIBSVM.
//!
//! ```text
//! f(x) = Σ cᵢ·K(sᵢ, x) − ρ,    K = xᵀs  or  exp(−γ‖x − s‖²),    P(match) = 1 / (1 + exp(A·f + B))
//! ```

use super::{Calibration, Examples};
use libsvm_rs::{KernelType, SvmModel, SvmNode, SvmParameter, SvmProblem, SvmType};
use std::io::BufRead;

/// How a machine is trained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SvmSettings {
    /// RBF or linear.
    pub rbf: bool,
    /// What an error costs.
    pub c: f64,
    /// γ of the RBF kernel.
    pub gamma: f64,
    /// Whether both classes weigh the same, however many examples they have.
    pub balanced: bool,
    /// Whether targets are ratings.
    pub ratings: bool,
}

/// A trained machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Svm {
    /// γ of the RBF kernel; none for the linear one.
    pub(crate) gamma: Option<f64>,
    pub(crate) width: usize,
    /// Support vectors one after the other. A linear machine has one: the normal of its plane.
    pub(crate) vectors: Vec<f64>,
    pub(crate) coefficients: Vec<f64>,
    pub(crate) rho: f64,
    /// What examples are scaled by.
    pub(crate) scale: Scale,
    /// A and B, if LIBSVM estimated them.
    pub(crate) sigmoid: Option<Calibration>,
}

/// Numbers to mean 0 and deviation 1; those of ratings back to what they were.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scale {
    pub shift: Vec<f64>,
    pub factor: Vec<f64>,
    /// Mean and deviation of the ratings; (0, 1) for labels.
    pub target: (f64, f64),
}

impl Scale {
    /// No scaling.
    fn none(width: usize) -> Self {
        Self { shift: vec![0.0; width], factor: vec![1.0; width], target: (0.0, 1.0) }
    }

    fn of(examples: &Examples, ratings: bool) -> Self {
        let n = examples.len() as f64;
        let of = |values: &dyn Fn(usize) -> f64| {
            let mean = (0..examples.len()).map(values).sum::<f64>() / n;
            let square: f64 = (0..examples.len()).map(|at| (values(at) - mean).powi(2)).sum();
            (mean, (square / n).sqrt())
        };
        let column = |feature: usize| of(&|at| examples.row(at)[feature]);
        let (shift, deviation): (Vec<f64>, Vec<f64>) = (0..examples.width()).map(column).unzip();
        // A number that never changes tells nothing.
        let factor = deviation.iter().map(|&d| if d > 1e-12 { 1.0 / d } else { 0.0 }).collect();
        let target = if ratings { of(&|at| examples.targets()[at]) } else { (0.0, 1.0) };
        let target = if target.1 > 1e-12 { target } else { (target.0, 1.0) };
        Self { shift, factor, target }
    }

    fn apply(&self, row: &[f64]) -> Vec<f64> {
        let scaled = row.iter().zip(self.shift.iter().zip(&self.factor));
        scaled.map(|(x, (shift, factor))| (x - shift) * factor).collect()
    }
}

impl Svm {
    /// Trains a machine on scaled examples.
    pub(crate) fn train(examples: &Examples, settings: SvmSettings) -> Self {
        // What LIBSVM prints is of no use to whoever calls a library.
        libsvm_rs::set_quiet(true);
        let scale = Scale::of(examples, settings.ratings);
        let (mean, deviation) = scale.target;
        let target = |&t: &f64| match settings.ratings {
            true => (t - mean) / deviation,
            false => f64::from(t > 0.5),
        };
        let problem = SvmProblem {
            labels: examples.targets().iter().map(target).collect(),
            instances: (0..examples.len())
                .map(|at| nodes(&scale.apply(examples.row(at))))
                .collect(),
        };
        let (all, positives) = (examples.len() as f64, examples.positives() as f64);
        let weight = if settings.balanced && !settings.ratings {
            vec![(1, all / (2.0 * positives)), (0, all / (2.0 * (all - positives)))]
        } else {
            Vec::new()
        };
        let parameter = SvmParameter {
            svm_type: if settings.ratings { SvmType::EpsilonSvr } else { SvmType::CSvc },
            kernel_type: if settings.rbf { KernelType::Rbf } else { KernelType::Linear },
            gamma: settings.gamma,
            c: settings.c,
            weight,
            ..SvmParameter::default()
        };
        let model = libsvm_rs::train::svm_train(&problem, &parameter);
        Self::of(&model, examples.width(), scale)
    }

    /// A model file of LIBSVM with two classes or ratings; examples are taken as they are, of so many numbers. Of two classes the one with the
    /// larger number is the match.
    ///
    /// # Errors
    /// If it is no such file, or has a kernel other than linear and RBF.
    pub fn read_libsvm(from: impl BufRead, width: usize) -> Result<Self, String> {
        let model =
            libsvm_rs::io::load_model_from_reader(from).map_err(|error| error.to_string())?;
        let known = matches!(model.param.kernel_type, KernelType::Linear | KernelType::Rbf)
            && matches!(model.param.svm_type, SvmType::CSvc | SvmType::EpsilonSvr)
            && model.nr_class == 2;
        if !known {
            return Err("not a C-SVC of two classes or an ε-SVR with linear or RBF kernel".into());
        }
        if model.sv.iter().flatten().any(|node| node.index < 1 || node.index as usize > width) {
            return Err(format!("a support vector has more than {width} numbers"));
        }
        Ok(Self::of(&model, width, Scale::none(width)))
    }

    fn of(model: &SvmModel, width: usize, scale: Scale) -> Self {
        let rbf = model.param.kernel_type == KernelType::Rbf;
        // LIBSVM's first class is the one it saw first.
        let swapped = matches!(model.label[..], [first, second] if first < second);
        let sign = if swapped { -1.0 } else { 1.0 };
        let dense = |nodes: &Vec<SvmNode>| {
            let mut row = vec![0.0; width];
            nodes.iter().for_each(|node| row[node.index as usize - 1] = node.value);
            row
        };
        let mut vectors: Vec<f64> = model.sv.iter().flat_map(dense).collect();
        let of_model = model.sv_coef.first().map_or(&[][..], |all| all);
        let mut coefficients: Vec<f64> = of_model.iter().map(|c| sign * c).collect();
        if !rbf {
            let mut normal = vec![0.0; width];
            for (vector, c) in vectors.chunks_exact(width.max(1)).zip(&coefficients) {
                normal.iter_mut().zip(vector).for_each(|(sum, x)| *sum += c * x);
            }
            (vectors, coefficients) = (normal, vec![1.0]);
        }
        let sigmoid = match (&model.prob_a[..], &model.prob_b[..]) {
            // 1 − P of the other class, over the decision value turned round: the slope stays.
            ([a], [b]) => Some(Calibration { a: *a, b: sign * b }),
            _ => None,
        };
        let rho = sign * model.rho.first().copied().unwrap_or(0.0);
        let gamma = rbf.then_some(model.param.gamma);
        Self { gamma, width, vectors, coefficients, rho, scale, sigmoid }
    }

    /// A machine from the arrays of a file: support vectors and coefficients, shift and factor of the scale, mean and deviation of ratings. Whether
    /// they fit together [`check`](Self::check) tells.
    pub(crate) fn of_parts(
        gamma: Option<f64>,
        width: usize,
        [vectors, coefficients]: [Vec<f64>; 2],
        rho: f64,
        [shift, factor]: [Vec<f64>; 2],
        target: (f64, f64),
    ) -> Self {
        let scale = Scale { shift, factor, target };
        Self { gamma, width, vectors, coefficients, rho, scale, sigmoid: None }
    }

    /// The decision value of an example: above 0 it is more likely a match. For ratings, the rating.
    pub fn decision(&self, row: &[f64]) -> f64 {
        let x = self.scale.apply(row);
        let kernel = |vector: &[f64]| match self.gamma {
            None => vector.iter().zip(&x).map(|(s, x)| s * x).sum::<f64>(),
            Some(gamma) => {
                let square: f64 = vector.iter().zip(&x).map(|(s, x)| (s - x) * (s - x)).sum();
                (-gamma * square).exp()
            }
        };
        let vectors = self.vectors.chunks_exact(self.width.max(1));
        let sum: f64 = vectors.zip(&self.coefficients).map(|(v, c)| c * kernel(v)).sum();
        let (mean, deviation) = self.scale.target;
        mean + deviation * (sum - self.rho)
    }

    /// The probability that LIBSVM estimates, if its model file had one.
    pub fn probability(&self, row: &[f64]) -> Option<f64> {
        self.sigmoid.map(|sigmoid| sigmoid.probability(self.decision(row)))
    }

    /// Whether the arrays fit together: what a file must hold to be a machine.
    pub(crate) fn check(&self, width: usize) -> bool {
        let finite = |all: &[f64]| all.iter().all(|x| x.is_finite());
        self.width == width
            && self.coefficients.len().checked_mul(width) == Some(self.vectors.len())
            && self.scale.shift.len() == width
            && self.scale.factor.len() == width
            && self.gamma.is_none_or(|gamma| gamma.is_finite() && gamma >= 0.0)
            && finite(&self.vectors)
            && finite(&self.coefficients)
            && finite(&self.scale.shift)
            && finite(&self.scale.factor)
            && finite(&[self.rho, self.scale.target.0, self.scale.target.1])
    }
}

fn nodes(row: &[f64]) -> Vec<SvmNode> {
    let node = |(at, &value): (usize, &f64)| SvmNode { index: at as i32 + 1, value };
    row.iter().enumerate().filter(|(_, x)| **x != 0.0).map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Random;
    use super::*;

    const SETTINGS: SvmSettings =
        SvmSettings { rbf: true, c: 4.0, gamma: 0.5, balanced: false, ratings: false };

    fn ring(n: usize) -> Examples {
        let (mut random, mut examples) = (Random::new(5, 5), Examples::new(2));
        for at in 0..n {
            let row: Vec<f64> = (0..2).map(|_| random.below(2001) as f64 / 1000.0 - 1.0).collect();
            let inside = row[0] * row[0] + row[1] * row[1] < 0.5;
            examples.push(&row, f64::from(inside), at as u32);
        }
        examples
    }

    #[test]
    fn prediction_is_that_of_the_library_that_trains() {
        let examples = ring(80);
        for (rbf, ratings) in [(true, false), (false, false), (true, true), (false, true)] {
            let settings = SvmSettings { rbf, ratings, ..SETTINGS };
            let svm = Svm::train(&examples, settings);
            assert!(svm.check(2));
            // The same by libsvm-rs itself, over the scaled examples.
            let scaled: Vec<Vec<SvmNode>> =
                (0..80).map(|at| nodes(&svm.scale.apply(examples.row(at)))).collect();
            let (mean, deviation) = svm.scale.target;
            let labels = examples.targets().iter().map(|t| (t - mean) / deviation).collect();
            let problem = SvmProblem { labels, instances: scaled.clone() };
            let parameter = SvmParameter {
                svm_type: if ratings { SvmType::EpsilonSvr } else { SvmType::CSvc },
                kernel_type: if rbf { KernelType::Rbf } else { KernelType::Linear },
                gamma: 0.5,
                c: 4.0,
                ..SvmParameter::default()
            };
            let model = libsvm_rs::train::svm_train(&problem, &parameter);
            for (at, x) in scaled.iter().enumerate() {
                let mut value = [0.0];
                libsvm_rs::predict::predict_values(&model, x, &mut value);
                let sign = if !ratings && model.label[0] == 0 { -1.0 } else { 1.0 };
                let expected = mean + deviation * sign * value[0];
                let found = svm.decision(examples.row(at));
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }

    #[test]
    fn a_ring_is_learned_by_the_rbf_kernel_and_not_by_the_linear_one() {
        let examples = ring(200);
        let right = |settings| {
            let svm = Svm::train(&examples, settings);
            let right = |at: &usize| {
                (svm.decision(examples.row(*at)) > 0.0) == (examples.targets()[*at] > 0.5)
            };
            (0..200).filter(right).count()
        };
        assert!(right(SETTINGS) > 190);
        assert!(right(SvmSettings { rbf: false, ..SETTINGS }) < 150);
    }

    #[test]
    fn a_number_that_never_changes_is_left_out() {
        let mut examples = Examples::new(2);
        (0..20).for_each(|at| examples.push(&[7.0, f64::from(at)], f64::from(at >= 10), at as u32));
        let svm = Svm::train(&examples, SETTINGS);
        assert_eq!(svm.scale.factor[0], 0.0);
        assert_eq!(svm.decision(&[7.0, 15.0]), svm.decision(&[-99.0, 15.0]));
        assert!(svm.decision(&[7.0, 15.0]) > 0.0 && svm.decision(&[7.0, 3.0]) < 0.0);
    }

    #[test]
    fn what_is_no_model_of_libsvm_is_refused() {
        assert!(Svm::read_libsvm(&b"nonsense"[..], 2).is_err());
        let poly = "svm_type c_svc\nkernel_type polynomial\ndegree 3\ngamma 0.5\ncoef0 0\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 0\nnr_sv 1 1\nSV\n1 1:1\n-1 1:-1\n";
        assert!(Svm::read_libsvm(poly.as_bytes(), 2).unwrap_err().contains("C-SVC"));
        let wide = poly
            .replace("polynomial\ndegree 3\ngamma 0.5\ncoef0 0", "linear")
            .replace("1:1\n", "9:1\n");
        assert!(Svm::read_libsvm(wide.as_bytes(), 2).unwrap_err().contains("more than 2"));
    }
}
