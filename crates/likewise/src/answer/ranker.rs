//! Pairwise logistic regression: the right choice of a question should score above each wrong one.
//!
//! With x_r the features of the right choice and x_w those of a wrong one, the weights minimise
//! Σ_questions mean_w ln(1 + exp(−w·(x_r − x_w))) + λ/2 |w|². The function is convex; Newton's method finds its minimum in a few
//! steps, the same on every run.

/// The differences between a question's right choice and its wrong ones.
pub type Differences = Vec<Vec<f64>>;

/// Steps of Newton's method; it is done after seven or so.
const MOST_STEPS: usize = 50;

/// The weights that rank right choices first, under the penalty λ for each question.
pub fn fit(questions: &[&Differences], width: usize, penalty: f64) -> Vec<f64> {
    let mut weights = vec![0.0; width];
    let lambda = penalty * questions.len() as f64;
    let mut value = objective(questions, &weights, lambda);
    for _ in 0..MOST_STEPS {
        let mut gradient: Vec<f64> = weights.iter().map(|w| lambda * w).collect();
        let mut hessian = vec![0.0; width * width];
        for at in 0..width {
            hessian[at * width + at] = lambda.max(1e-9);
        }
        for wrong in questions {
            let share = 1.0 / wrong.len().max(1) as f64;
            for x in wrong.iter() {
                let p = 1.0 / (1.0 + dot(&weights, x).exp());
                let curvature = share * p * (1.0 - p);
                for (at, &value) in x.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                    gradient[at] -= share * p * value;
                    let row = &mut hessian[at * width..(at + 1) * width];
                    for (h, other) in row.iter_mut().zip(x) {
                        *h += curvature * value * other;
                    }
                }
            }
        }
        let step = solve(hessian, gradient);
        // The whole step unless it overshoots.
        let mut size = 1.0;
        let next = loop {
            let next: Vec<f64> = weights.iter().zip(&step).map(|(w, s)| w - size * s).collect();
            let there = objective(questions, &next, lambda);
            if there <= value || size < 1e-6 {
                break (next, there);
            }
            size /= 2.0;
        };
        let gained = value - next.1;
        (weights, value) = next;
        if gained < 1e-10 * value.abs().max(1.0) {
            break;
        }
    }
    weights
}

fn objective(questions: &[&Differences], weights: &[f64], lambda: f64) -> f64 {
    let loss = |wrong: &&Differences| {
        let sum: f64 = wrong
            .iter()
            .map(|x| {
                let margin = dot(weights, x);
                // ln(1 + e^−m) without overflow.
                (-margin).max(0.0) + (-margin.abs()).exp().ln_1p()
            })
            .sum();
        sum / wrong.len().max(1) as f64
    };
    questions.iter().map(loss).sum::<f64>() + lambda / 2.0 * dot(weights, weights)
}

/// The sum of products.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Solves a positive definite system by Cholesky's decomposition.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            let rest = matrix[i * n + j] - sum;
            matrix[i * n + j] =
                if i == j { rest.max(1e-12).sqrt() } else { rest / matrix[j * n + j] };
        }
    }
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| matrix[i * n + k] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| matrix[k * n + i] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i * n + i];
    }
    right
}
